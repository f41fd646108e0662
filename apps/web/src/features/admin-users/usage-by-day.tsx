/** Predictions per day as bars and as a table, for all users or for one. */
import { Box, Flex } from '#web/ui/layout.ts'
import type { UsageDay } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason } from '#web/lib/admin-api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel } from '#web/ui/panel.tsx'
import classes from './usage-by-day.module.css'
import { usageByDayQuery } from './usage-query.ts'

const spans = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
] as const

type Span = (typeof spans)[number]['value']

export function UsageByDay({ userId }: { userId: string | null }) {
  const [span, setSpan] = useState<Span>('30')
  const query = useQuery(usageByDayQuery(Number(span), userId))
  return (
    <Panel
      title="Predictions per day"
      action={
        <Select label="Period" isLabelHidden value={span} options={spans} onChange={setSpan} />
      }
    >
      <Loaded
        query={query}
        what="predictions per day"
        failure="Failed to load predictions per day"
        reasonOf={adminReason}
        lines={3}
      >
        {({ days }) => <Days days={days} />}
      </Loaded>
    </Panel>
  )
}

function Days({ days }: { days: UsageDay[] }) {
  const single = days.reduce((sum, { predictions }) => sum + predictions, 0)
  const screened = days.reduce((sum, { screen_pairs }) => sum + screen_pairs, 0)
  return (
    <>
      <Box component="p" className={`quiet small ${classes.key}`} mb="md">
        <span data-series="0" /> {largeCountOf(single, 'single prediction')}
        <span data-series="1" /> {largeCountOf(screened, 'pair')} in screens
      </Box>
      {single + screened === 0 ? (
        <p className="quiet">No predictions in this period.</p>
      ) : (
        <>
          <Bars days={days} />
          <DayTable days={days} />
        </>
      )}
    </>
  )
}

/** Only the bars are drawn and stretched to the available width; text keeps its size. */
function Bars({ days }: { days: UsageDay[] }) {
  const top = roundUp(Math.max(...days.map(totalOf)))
  const [first, middle, last] = [0, Math.floor(days.length / 2), days.length - 1]
  return (
    <div className={classes.chart} aria-hidden="true">
      <Flex direction="column" justify="space-between" my="-0.6em" ta="right">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en')}</span>
        ))}
      </Flex>
      <svg viewBox={`0 0 ${days.length} 1`} preserveAspectRatio="none">
        {days.map((day, place) => (
          <Bar key={day.day} day={day} place={place} top={top} />
        ))}
      </svg>
      <Flex className={classes.days} justify="space-between">
        {[first, middle, last].map((place) => (
          <span key={place}>{days[place]?.day}</span>
        ))}
      </Flex>
    </div>
  )
}

const BAR_WIDTH = 0.8

function Bar({ day, place, top }: { day: UsageDay; place: number; top: number }) {
  const [single, screened] = [day.predictions / top, day.screen_pairs / top]
  const box = { x: place + (1 - BAR_WIDTH) / 2, width: BAR_WIDTH }
  return (
    <g>
      <title>{`${day.day}: ${day.predictions} single, ${day.screen_pairs} in screens`}</title>
      <rect data-series="0" {...box} y={1 - single} height={single} />
      <rect data-series="1" {...box} y={1 - single - screened} height={screened} />
    </g>
  )
}

const columns: Column<UsageDay>[] = [
  { title: 'Day (UTC)', cell: ({ day }) => day },
  {
    title: 'Single',
    label: true,
    isNumber: true,
    cell: ({ predictions }) => predictions.toLocaleString('en'),
  },
  {
    title: 'In screens',
    label: true,
    isNumber: true,
    cell: ({ screen_pairs }) => screen_pairs.toLocaleString('en'),
  },
]

/** The same numbers as text to read and copy; days without usage are omitted. */
function DayTable({ days }: { days: UsageDay[] }) {
  const busy = days.filter((day) => totalOf(day) > 0).toReversed()
  return (
    <Box component="details" className={classes.details} mt="md">
      <summary>Show as table</summary>
      <DataTable
        label="Predictions per day"
        rows={busy}
        keyOf={({ day }) => day}
        columns={columns}
        isInset
      />
    </Box>
  )
}

function totalOf({ predictions, screen_pairs }: UsageDay): number {
  return predictions + screen_pairs
}

/** The next even number of the form 1, 2, 4, 6 or 8 times a power of ten, so that half of it can be labelled too. */
export function roundUp(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  const first = [1, 2, 4, 6, 8, 10].find((digit) => digit * step >= value) ?? 10
  return Math.max(2, first * step)
}
