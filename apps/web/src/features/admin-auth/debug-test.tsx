/** Run Debug Test: which admin headers the server takes, and what it answers to each. */
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { tryHeaders } from './header-trial.ts'

export function DebugTest() {
  const { mutate, data, isPending } = useMutation({ mutationFn: tryHeaders })
  return (
    <Panel
      title="Debug test"
      isFlush={data !== undefined}
      action={
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Run Debug Test
        </Button>
      }
    >
      {data === undefined ? (
        <p className="quiet">
          Sends two calls with every combination of headers, and shows what each answered.
        </p>
      ) : (
        <table className={`${table.table} ${table.stacks}`}>
          <thead>
            <tr>
              <th scope="col">Headers</th>
              <th scope="col">GET /admin/users</th>
              <th scope="col">GET /admin/database/stats</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ headers, users, stats }) => (
              <tr key={headers}>
                <td className={`mono ${table.wide}`}>{headers}</td>
                <td className={table.wide} data-label="Users:">
                  {users}
                </td>
                <td className={table.wide} data-label="Stats:">
                  {stats}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
