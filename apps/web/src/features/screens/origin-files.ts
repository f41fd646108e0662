/** The files that targets or compounds were read from, so that a screen can use a whole file with one click. */

/** `label`: the file name; further files of the same name have a number. */
export type OriginFile = { label: string; names: string[] }

type Origin = { file_names: string[]; files: number[] }

/** In the order of the list; empty if the list names no files. */
export function originOf(names: string[], { file_names, files }: Origin): OriginFile[] {
  const taken = new Map<string, number>()
  const origin = file_names.map((name): OriginFile => {
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return { label: count === 1 ? name : `${name}, ${count}`, names: [] }
  })
  for (const [at, name] of names.entries()) origin[files[at] ?? -1]?.names.push(name)
  return origin.filter((file) => file.names.length > 0)
}

/** The files as list items; a file is selected if all of its names are. */
export function listFiles(
  files: readonly OriginFile[],
  chosen: ReadonlySet<string>,
  onChoose: (chosen: Set<string>) => void,
) {
  const isWhole = ({ names }: OriginFile) => names.every((name) => chosen.has(name))
  const whole = new Set(files.filter(isWhole).map(({ label }) => label))
  return {
    names: files.map(({ label }) => label),
    chosen: whole,
    onChoose(labels: ReadonlySet<string>) {
      const next = new Set(chosen)
      for (const { label, names } of files) {
        if (labels.has(label) === whole.has(label)) continue
        for (const name of names) {
          if (labels.has(label)) next.add(name)
          else next.delete(name)
        }
      }
      onChoose(next)
    },
  }
}
