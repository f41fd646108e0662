/** The logo: a ligand at rest in its energy well, with the name next to it. */
import classes from './logo.module.css'

export function Logo() {
  return (
    <span className={classes.logo}>
      <Mark size={28} />
      <span>
        pK<span className={classes.light}>dex</span>
      </span>
    </span>
  )
}

/** When empty, a well with a dashed place for the ligand, for empty states. */
export function Mark({ size, isEmpty = false }: { size: number; isEmpty?: boolean }) {
  return (
    <svg
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 32 32"
      aria-hidden="true"
      className={classes.mark}
      data-empty={isEmpty}
    >
      <path
        className={classes.well}
        d="M2 6C2 2.9 4 2.5 5 4.9C5.8 6.8 6.4 8.8 6.6 11A7.4 7.4 0 0 0 20.4 14.7C22 11.9 24.4 10.6 27.4 10.6C29.3 10.6 30 11.4 30 13.2V23A6 6 0 0 1 24 29H8A6 6 0 0 1 2 23Z"
      />
      <circle className={classes.ligand} cx="14" cy="11" r="5" />
    </svg>
  )
}
