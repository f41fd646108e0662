/** `/`: what this is, and one button; beside it a real structure over the empty scale. */
import { SignIn } from '#web/features/auth/sign-in.tsx'
import { AffinityScale } from '#web/features/predictions/affinity-scale.tsx'
import { useSession } from '#web/features/auth/session.ts'
import { Mark } from '#web/ui/logo.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './login-page.module.css'
import dark from './login-structure-dark.webp'
import light from './login-structure-light.webp'

/** Drawn by the product itself from samples/1hpv.pdb. */
const pictures = { light, dark }

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
          How tightly does a compound bind its target? Upload both and read the pKd.
        </p>
        <SignIn notice={session.status === 'anonymous' ? session.message : null} />
      </section>
      <section className={classes.example} aria-label="Example">
        <figure>
          <img
            src={pictures[scheme]}
            width="1200"
            height="900"
            alt="Ribbon drawing of a protein of two alike chains that hold a small molecule between them"
          />
          <figcaption>HIV-1 protease with amprenavir, PDB 1HPV, one of the sample files</figcaption>
        </figure>
        <AffinityScale prediction={null} />
      </section>
    </main>
  )
}
