/** The structure in 3D, rotated by mouse, touch, buttons or keys. */
import { Flex, Group } from '#web/ui/layout.ts'
import { readStructure, type Target } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { call, loadingReason } from '#web/lib/api.ts'
import { nameChain } from '#web/lib/chains.ts'
import { capitalise } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Switch } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { openScene, type Scene, type Turn } from './structure-scene.ts'
import classes from './structure-viewer.module.css'

export function StructureViewer({ target }: { target: Target }) {
  const { name } = target
  const query = useQuery({
    queryKey: ['structure', name, target.file_id],
    queryFn: ({ signal }) => call(readStructure, { params: { name }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Loaded
      query={query}
      what={`the structure of ${name}`}
      failure="Failed to load the structure"
      reasonOf={loadingReason}
      lines={6}
    >
      {(structure) => <Viewer target={target} structure={structure} />}
    </Loaded>
  )
}

type ViewerProps = { target: Target; structure: { content: string } }

function Viewer({ target, structure }: ViewerProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [hasSurface, setHasSurface] = useState(false)
  const { stage, scene, hasFailed } = useScene({ target, structure })
  useEffect(() => scene?.show({ hasSurface }), [scene, hasSurface])
  if (hasFailed) return <p role="alert">This structure cannot be shown in 3D.</p>
  return (
    <div ref={frame} className={classes.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it takes the keys itself */}
      <div
        ref={stage}
        className={classes.stage}
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
        tabIndex={0}
        aria-label={`3D view of ${target.name}. Arrow keys rotate, + and − zoom.`}
        aria-busy={scene === null}
        onKeyDown={(event) => scene && pressed(scene, event)}
      />
      <Controls
        scene={scene}
        hasSurface={hasSurface}
        onSurface={setHasSurface}
        onFullScreen={() => void toggleFullScreen(frame.current)}
      />
      {scene && <Legend scene={scene} />}
    </div>
  )
}

/** Opens the scene in its element, and again for another chain or colour scheme. */
function useScene({ target: { chain }, structure }: ViewerProps) {
  const scheme = useColorScheme()
  const [scene, setScene] = useState<Scene | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const stage = useCallback(
    (element: HTMLDivElement) => {
      try {
        const opened = openScene(element, { structure, chain, scheme })
        setScene(opened)
        return () => {
          setScene(null)
          opened.close()
        }
      } catch {
        setHasFailed(true)
        return undefined
      }
    },
    [structure, chain, scheme],
  )
  return { stage, scene, hasFailed }
}

const turns: Record<string, Turn> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

function pressed(scene: Scene, event: KeyboardEvent) {
  const turn = turns[event.key]
  if (turn) scene.turn(turn)
  else if (event.key === '+' || event.key === '=') scene.zoom(1.25)
  else if (event.key === '-') scene.zoom(0.8)
  else return
  event.preventDefault()
}

type ControlsProps = {
  scene: Scene | null
  hasSurface: boolean
  onSurface: (has: boolean) => void
  onFullScreen: () => void
}

function Controls({ scene, hasSurface, onSurface, onFullScreen }: ControlsProps) {
  const actions: [label: string, sign: string, act: (on: Scene) => void][] = [
    ['Rotate left', '←', (on) => on.turn('left')],
    ['Rotate right', '→', (on) => on.turn('right')],
    ['Rotate up', '↑', (on) => on.turn('up')],
    ['Rotate down', '↓', (on) => on.turn('down')],
    ['Zoom in', '+', (on) => on.zoom(1.25)],
    ['Zoom out', '−', (on) => on.zoom(0.8)],
  ]
  return (
    <Group gap="xs" role="toolbar" aria-label="View">
      {actions.map(([label, sign, act]) => (
        <Button
          key={label}
          variant="default"
          miw="var(--hit)"
          p={0}
          aria-label={label}
          onClick={() => scene && act(scene)}
        >
          {sign}
        </Button>
      ))}
      <Button variant="default" onClick={() => scene?.lookAt('all')}>
        Whole structure
      </Button>
      {scene && scene.ligand !== null && (
        <Button variant="default" onClick={() => scene.lookAt('ligand')}>
          Ligand
        </Button>
      )}
      <Switch
        label="Surface"
        checked={hasSurface}
        onChange={({ currentTarget }) => onSurface(currentTarget.checked)}
      />
      {document.fullscreenEnabled && (
        <Button variant="default" onClick={onFullScreen}>
          Full screen
        </Button>
      )}
    </Group>
  )
}

async function toggleFullScreen(element: HTMLElement | null) {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await element?.requestFullscreen()
}

/** Legend: the colour of each chain, and how the ligand is drawn. */
function Legend({ scene }: { scene: Scene }) {
  return (
    <Flex component="ul" className="small" wrap="wrap" rowGap={4} columnGap={20}>
      {scene.chains.map(({ id, colour, isUsed }) => (
        <Flex component="li" key={id} gap="xs" align="center">
          <span className={classes.swatch} style={{ background: colour }} />
          {isUsed ? <b>{nameOf(id)}, used for predictions</b> : nameOf(id)}
        </Flex>
      ))}
      <li>{describeLigand(scene)}</li>
    </Flex>
  )
}

function nameOf(chain: string): string {
  return capitalise(nameChain(chain === '' ? '_' : chain))
}

function describeLigand({ ligand }: Scene): string {
  if (ligand === null) return 'No ligand in this file.'
  const { name, near } = ligand
  return `Ligand ${name} as sticks, with the ${near.length} residues within 5 Å of it. Only poses use them.`
}
