/** The picture of one target or compound in one colour scheme. */
import {
  messages,
  readCompoundPreview,
  readTargetPreview,
  type Preview,
  type Theme,
} from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { call, messageOf } from '#web/lib/api.ts'

/** The kinds of pictures, named as in paths and messages. */
export type PictureKind = 'protein' | 'molecule'

const endpoints = { protein: readTargetPreview, molecule: readCompoundPreview } as const

export function pictureQuery(kind: PictureKind, name: string, theme: Theme) {
  return queryOptions({
    queryKey: ['picture', kind, name, theme],
    queryFn: async ({ signal }) => {
      return readPicture(
        await call(endpoints[kind], { params: { name }, query: { theme }, signal }),
      )
    },
    // Each selection loads the picture again, and shows the cached one meanwhile.
    staleTime: 0,
    refetchOnReconnect: false,
    retry: false,
  })
}

/** The message for a picture that failed to load. */
export function pictureFailure(kind: PictureKind, error: Error): string {
  if (error instanceof MissingPicture) return error.message
  if (error instanceof z.ZodError) return messages.image.noData
  return messageOf(error, messages.image.failed(kind))
}

class MissingPicture extends Error {}

function readPicture({ visualizationUrl, image_url: imageUrl, alt }: Preview) {
  const address = visualizationUrl ?? imageUrl
  if (address === undefined) throw new MissingPicture(messages.image.noData)
  if (address === '') throw new MissingPicture(messages.image.none)
  return { address, alt: alt ?? null }
}
