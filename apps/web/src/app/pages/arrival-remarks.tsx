/** What the upload boxes had to say when they were left: lines that were not taken, names that were changed. Stands until it is closed. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod'
import { Remarks, UploadRemarks } from '#web/features/files/upload-remarks.tsx'
import classes from './arrival-remarks.module.css'

const Arrival = z.object({ remarks: z.array(Remarks) })

export function ArrivalRemarks() {
  const { state } = useLocation()
  const [remarks, setRemarks] = useState(() => Arrival.safeParse(state).data?.remarks ?? [])

  if (remarks.length === 0) return null
  return (
    <section className={classes.remarks} aria-label="About your upload">
      <div>
        {remarks.map((remark, index) => (
          <UploadRemarks key={index} remarks={remark} />
        ))}
      </div>
      <Button variant="subtle" color="gray" onClick={() => setRemarks([])}>
        Close
      </Button>
    </section>
  )
}
