/** A structural formula with marks behind its atoms. */
import type { FormulaPicture } from '@pkdex/contract'
import type { ReactNode } from 'react'
import classes from './marked-formula.module.css'

type Props = { picture: FormulaPicture; children: ReactNode }

/** `children`: shapes in the picture's pixels. They are decoration: what they say stands in words beside. */
export function MarkedFormula({ picture, children }: Props) {
  const { image, width, height, alt } = picture
  return (
    <div className={classes.formula}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {children}
      </svg>
      <img src={image} alt={alt} width={width} height={height} />
    </div>
  )
}
