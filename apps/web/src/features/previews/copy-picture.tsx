/** Buttons that copy the picture of a target or compound, in its light colours. */
import { Group } from '#web/ui/layout.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { copyPng, copySvg, isSvg } from '#web/lib/copy-picture.ts'
import { Button } from '#web/ui/button.ts'
import { type PictureKind, pictureQuery } from './picture-query.ts'

const copies = { PNG: copyPng, SVG: copySvg }

export function CopyPicture({ kind, name }: { kind: PictureKind; name: string }) {
  const client = useQueryClient()
  const light = pictureQuery(kind, name, 'light')
  const { data } = useQuery(light)
  const copy = useMutation({
    mutationFn: (format: keyof typeof copies) =>
      copies[format](client.ensureQueryData(light).then(({ address }) => address)),
  })
  const buttonOf = (format: keyof typeof copies) => (
    <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate(format)}>
      {`Copy ${format}`}
    </Button>
  )
  return (
    <Group gap="xs" mt="sm">
      {buttonOf('PNG')}
      {data && isSvg(data.address) && buttonOf('SVG')}
      <output className="small">
        {copy.isSuccess && `${copy.variables} copied`}
        {copy.isError && 'The browser blocked copying.'}
      </output>
    </Group>
  )
}
