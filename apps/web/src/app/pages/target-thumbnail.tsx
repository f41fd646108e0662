/** A small picture of a target beside its input report. The report says everything; without a picture its place stays quiet. */
import { useQuery } from '@tanstack/react-query'
import { pictureQuery } from '#web/features/previews/picture-query.ts'
import { useColorScheme } from '#web/ui/theme/use-color-scheme.ts'
import classes from './target-thumbnail.module.css'

export function TargetThumbnail({ name }: { name: string }) {
  const theme = useColorScheme()
  const { data } = useQuery(pictureQuery('protein', name, theme))
  return (
    <div className={classes.place}>{data && <img src={data.address} alt={data.alt ?? ''} />}</div>
  )
}
