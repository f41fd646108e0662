/** The balance in the header. A dash while it is not known, so that it is never mistaken for 0. */
import { useQuery } from '@tanstack/react-query'
import styles from './credits-counter.module.css'
import { creditsQuery } from './credits-query.ts'

export function CreditsCounter() {
  const { data, error } = useQuery(creditsQuery())
  const credits = error === null ? data?.credits : undefined
  return (
    <output className={styles.credits} aria-atomic="true" data-zero={credits === 0}>
      Credits{' '}
      {credits === undefined ? (
        <b>
          <span aria-hidden="true">–</span>
          <span className="visually-hidden">unknown</span>
        </b>
      ) : (
        <b>{credits.toLocaleString('en')}</b>
      )}
    </output>
  )
}
