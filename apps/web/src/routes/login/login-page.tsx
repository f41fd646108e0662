/** `/`: what pKdex is and how accurate, and the sign-in button; next to it a real structure above the empty scale. */
import { SignIn } from '#web/features/auth/sign-in.tsx'
import { AffinityScale } from '#web/features/predictions/affinity-scale.tsx'
import { useSession } from '#web/features/auth/session.ts'
import { Mark } from '#web/ui/logo.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './login-page.module.css'
import dark from './login-structure-dark.webp'
import light from './login-structure-light.webp'

/** Drawn by pKdex from samples/1hpv.pdb. */
const pictures = { light, dark }

/** From the card of the shipped model; a test compares the two. */
const SERIES_RMSE = '1.11'

export function LoginPage() {
  const session = useSession()
  const scheme = useColorScheme()
  return (
    <main className={classes.page}>
      <title>Sign in · pKdex</title>
      <section className={classes.entry} aria-labelledby="product">
        <Mark size={72} />
        <h1 id="product">
          pK<span>dex</span>
        </h1>
        <p className={classes.purpose}>
          Predict how tightly a compound binds its target. Upload a structure and a SMILES, get a
          pKd.
        </p>
        <SignIn notice={session.status === 'anonymous' ? session.message : null} />
        <ul className={classes.facts}>
          <li>
            A model’s prediction, from the protein’s sequence and the compound’s 2D structure.
          </li>
          <li>
            Typical error on published series new to it: {SERIES_RMSE} pKd units (root mean square),{' '}
            <a href="/accuracy">beside FEP and simple rules</a>.
          </li>
          <li>You see what a run costs before it starts.</li>
          <li>Only you and this server’s administrators can see your files.</li>
        </ul>
      </section>
      <section className={classes.example} aria-label="Example">
        <figure>
          <img
            src={pictures[scheme]}
            width="1200"
            height="900"
            alt="Ribbon drawing of a protein of two identical chains with a small molecule between them"
          />
          <figcaption>HIV-1 protease with amprenavir, PDB 1HPV, from the sample files</figcaption>
        </figure>
        <AffinityScale prediction={null} />
      </section>
    </main>
  )
}
