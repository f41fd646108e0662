/** The compound in the pocket of the structure: in 3D, its contacts as text, downloads. Labelled as a model. */
import { ColumnGrid, Flex, Stack } from '#web/ui/layout.ts'
import {
  downloadPose,
  OWN_LIGAND,
  type Pose,
  type PoseContact,
  readPose,
  readStructure,
} from '@pkdex/contract'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { call, openCall } from '#web/lib/api.ts'
import { nameLigand, optionOf } from '#web/lib/ligands.ts'
import { saveStream } from '#web/lib/save-stream.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { Select, Switch } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { similarQuery, atomsQuery, type ReadPair, reasonOf } from './evidence-queries.ts'
import { MarkedFormula } from './marked-formula.tsx'
import { OwnLigand } from './own-ligand.tsx'
import type { PoseScene } from './pose-scene.ts'
import classes from './pose-view.module.css'

export type Pocket = { target: string; compound: string; chain?: string | undefined }

type Props = { pair: ReadPair; pocket: Pocket }

function poseQuery(request: Pocket & { reference?: string | undefined }) {
  return queryOptions({
    queryKey: ['pose', request],
    queryFn: ({ signal }) => call(readPose, { query: request, signal }),
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export function PoseView({ pair, pocket }: Props) {
  const [reference, setReference] = useState<string>()
  const request = { ...pocket, reference }
  const query = useQuery(poseQuery(request))
  return (
    <Loaded
      query={query}
      what="the pose"
      failure="Failed to place the compound"
      reasonOf={reasonOf}
      lines={6}
    >
      {(pose) => (
        <Stack aria-busy={query.isPlaceholderData} gap="sm">
          <p className="quiet small">{pose.label}</p>
          {pose.references.length > 1 && (
            <Select
              label="Reference ligand"
              value={pose.reference ?? ''}
              options={pose.references.map(optionOf)}
              onChange={setReference}
            />
          )}
          {pose.pose === null ? (
            <Note tone="info" title="No pose">
              {pose.reason}
            </Note>
          ) : (
            <Placed key={pose.reference} {...{ pair, pose, request }} placed={pose.pose} />
          )}
          <OwnerOnly>
            <OwnLigand
              target={pose.target}
              chain={pose.chain}
              hasOwn={pose.references.some(({ id }) => id === OWN_LIGAND)}
              onChange={() => setReference(undefined)}
            />
          </OwnerOnly>
        </Stack>
      )}
    </Loaded>
  )
}

type PlacedProps = {
  pair: ReadPair
  pose: Pose
  request: Pocket & { reference?: string | undefined }
  placed: NonNullable<Pose['pose']>
}

function Placed({ pair, pose, request, placed }: PlacedProps) {
  const [hasReference, setHasReference] = useState(false)
  const [hasColours, setHasColours] = useState(false)
  const { stage, scene, hasFailed } = usePoseScene(pose, placed)
  const scheme = useColorScheme()
  const atoms = useQuery({ ...atomsQuery(pair, scheme), enabled: hasColours })
  const contributions = hasColours ? atoms.data?.contributions : undefined
  useEffect(() => scene?.showReference(hasReference), [scene, hasReference])
  useEffect(() => {
    const isOfPose = contributions?.length === placed.heavy_atoms
    scene?.colourAtoms(contributions !== undefined && isOfPose ? coloursOf(contributions) : null)
  }, [scene, contributions, placed.heavy_atoms])
  return (
    <ColumnGrid template="minmax(0, 1fr) minmax(0, 1fr)" below={860} gap="md">
      <div>
        {hasFailed ? (
          <p role="alert">This pose cannot be shown in 3D. Its contacts and files are below.</p>
        ) : (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles arrow keys itself
          <div
            ref={stage}
            className={classes.stage}
            role="application"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it must be focusable to receive keys
            tabIndex={0}
            aria-label={`3D view of ${pose.compound} in ${pose.target}. Arrow keys rotate, + and − zoom.`}
            aria-busy={scene === null}
            onKeyDown={(event) => scene && pressed(scene, event)}
          />
        )}
        <Flex wrap="wrap" rowGap="xs" columnGap="md" align="center" mt="sm">
          <Switch
            label="Reference ligand"
            checked={hasReference}
            onChange={({ currentTarget }) => setHasReference(currentTarget.checked)}
          />
          <Switch
            label="Atom contributions"
            checked={hasColours}
            onChange={({ currentTarget }) => setHasColours(currentTarget.checked)}
          />
        </Flex>
        {hasColours && (
          <p className="quiet small">
            {atoms.error
              ? reasonOf(atoms.error)
              : 'Teal atoms raise the predicted pKd, dark grey atoms lower it.'}
          </p>
        )}
      </div>
      <div>
        <NumberedFormula pair={pair} contacts={placed.contacts} />
        <Contacts contacts={placed.contacts} scene={scene} />
        <p className="small">{describePose(pose, placed)}</p>
        <Flex wrap="wrap" rowGap="xs" columnGap="md" align="center" mt="sm">
          <Download request={request} format="sdf" />
          <Download request={request} format="pdb" />
        </Flex>
      </div>
    </ColumnGrid>
  )
}

function usePoseScene(pose: Pose, placed: NonNullable<Pose['pose']>) {
  const { target: name, chain, reference, own_ligand: ownLigand } = pose
  const scheme = useColorScheme()
  const structure = useQuery({
    queryKey: ['pose structure', name],
    queryFn: ({ signal }) => call(readStructure, { params: { name }, signal }),
    staleTime: 60_000,
    retry: false,
  })
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const [scene, setScene] = useState<PoseScene | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const content = structure.data?.content
  const stage = useCallback((found: HTMLDivElement | null) => setElement(found), [])
  useEffect(() => {
    if (element === null || content === undefined) return undefined
    let opened: PoseScene | null = null
    let isGone = false
    void import('./pose-scene.ts')
      .then(({ openPoseScene }) => {
        if (isGone) return
        const { sdf, contacts } = placed
        const options = {
          structure: content,
          sdf,
          chain,
          reference: reference ?? '',
          ownLigand,
          contacts,
        }
        opened = openPoseScene(element, { ...options, scheme })
        setScene(opened)
      })
      .catch(() => setHasFailed(true))
    return () => {
      isGone = true
      setScene(null)
      opened?.close()
    }
  }, [element, content, placed, chain, reference, ownLigand, scheme])
  return { stage, scene, hasFailed: hasFailed || structure.isError }
}

const TURN_DEGREES = 15
const turns: Record<string, [degrees: number, axis: 'x' | 'y']> = {
  ArrowLeft: [-TURN_DEGREES, 'y'],
  ArrowRight: [TURN_DEGREES, 'y'],
  ArrowUp: [-TURN_DEGREES, 'x'],
  ArrowDown: [TURN_DEGREES, 'x'],
}

function pressed(scene: PoseScene, event: KeyboardEvent) {
  const turn = turns[event.key]
  if (turn) scene.turn(...turn)
  else if (event.key === '+' || event.key === '=') scene.zoom(1.25)
  else if (event.key === '-') scene.zoom(0.8)
  else return
  event.preventDefault()
}

function Contacts({ contacts, scene }: { contacts: PoseContact[]; scene: PoseScene | null }) {
  if (contacts.length === 0) return <p>No contacts with the pocket.</p>
  const show = (contact: PoseContact | null) => scene?.highlight(contact)
  return (
    <ul className={classes.contacts} aria-label="Contacts">
      {contacts.map((contact) => (
        <li key={`${contact.words} ${contact.compound_atom} ${contact.atom}`}>
          <UnstyledButton
            data-kind={contact.kind}
            onMouseEnter={() => show(contact)}
            onMouseLeave={() => show(null)}
            onFocus={() => show(contact)}
            onBlur={() => show(null)}
          >
            {contact.words}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

/** The compound with the numbers that the contacts name; the list says the same in words. */
function NumberedFormula({ pair, contacts }: { pair: ReadPair; contacts: PoseContact[] }) {
  const { data } = useQuery(similarQuery(pair, useColorScheme()))
  const named = new Set(
    contacts.flatMap(({ kind, compound_atom: atom }) => (kind === 'hydrophobic' ? [] : [atom])),
  )
  if (!data?.own || named.size === 0) return null
  return (
    <MarkedFormula picture={data.own}>
      {data.own.atoms.map(({ element, x, y }, at) =>
        named.has(at + 1) ? (
          <text key={at} x={x + 13} y={y - 13} className={classes.number}>
            {element}
            {at + 1}
          </text>
        ) : null,
      )}
    </MarkedFormula>
  )
}

function describePose({ reference }: Pose, placed: NonNullable<Pose['pose']>): string {
  const { core_atoms: core, heavy_atoms: all, relative, keeps_stereo: keepsStereo } = placed
  const name = nameLigand(reference ?? '')
  const better = relative < 0 ? 'weaker' : 'stronger'
  const score = `Vina energy ${Math.abs(relative).toFixed(1)} kcal/mol ${better} than ${name}.`
  const stereo = keepsStereo ? '' : ' At least one stereocentre differs from the SMILES.'
  return `${core} of ${all} heavy atoms are placed on ${name}. ${score}${stereo}`
}

type DownloadProps = { request: PlacedProps['request']; format: 'sdf' | 'pdb' }

function Download({ request, format }: DownloadProps) {
  const save = useMutation({
    mutationFn: async () => {
      const response = await openCall(downloadPose, { query: { ...request, format } })
      const filename = `${request.compound} in ${request.target}.${format}`
      return saveStream(response, { filename, onProgress: () => undefined })
    },
  })
  return (
    <>
      {save.error && <p role="alert">{reasonOf(save.error)}</p>}
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        {format.toUpperCase()}
      </Button>
    </>
  )
}

const [RAISES, LOWERS, NEITHER] = [
  [7, 104, 116],
  [66, 74, 74],
  [196, 203, 203],
] as const
/** The colour scale never ends below this, so that small contributions stay pale. */
const SCALE_PKD_MIN = 0.15

/** A colour per atom: teal raises the predicted pKd, dark grey lowers it. */
function coloursOf(contributions: number[]): string[] {
  const scale = Math.max(SCALE_PKD_MIN, ...contributions.map(Math.abs))
  return contributions.map((value) => {
    const share = Math.min(1, Math.abs(value) / scale)
    const end = value < 0 ? LOWERS : RAISES
    const mixed = NEITHER.map((from, at) => Math.round(from + share * ((end[at] ?? from) - from)))
    return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
  })
}
