/** A structural formula with marks behind its atoms. */
import type { FormulaPicture } from '@pkdex/contract'
import type { ReactNode } from 'react'
import classes from './marked-formula.module.css'

type Props = {
  picture: FormulaPicture
  children: ReactNode
  /** Low enough to fit a card. */
  isSmall?: boolean
}

/** `children`: shapes in the picture's pixels. They are decorative: the text next to them says the same. */
export function MarkedFormula({ picture, children, isSmall = false }: Props) {
  const { image, width, height, alt } = picture
  return (
    <div className={classes.formula} data-small={isSmall}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {children}
      </svg>
      <img src={image} alt={alt} width={width} height={height} />
    </div>
  )
}
