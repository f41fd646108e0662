/**
 * Poses of screens are blocks of the one queue and rows of a table. `move-poses.ts` then moves those of earlier versions
 * and drops their tables.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table blocks add lane text not null default 'large' check (lane in ('small', 'large', 'pose'))`,
  `alter table blocks add place smallint`,
  `update blocks set lane = 'small' where is_small`,
  `drop index blocks_waiting`,
  `alter table blocks drop column is_small`,
  `create index blocks_waiting on blocks (lane, turn) where status = 'WAITING'`,
  `alter table orders add pose_settings jsonb`,
  `update orders set pose_settings =
      jsonb_build_object('weights', weights, 'anchors', anchors, 'request_id', request_id)
    from structure_runs where order_id = id`,
  `alter table order_targets
    add reference text,
    add own_ligand text,
    add placed integer,
    add pose_mean double precision,
    add similarity_mean double precision,
    add difference_mean double precision`,
  `update order_targets set reference = made.reference, own_ligand = own_ligands ->> order_targets.place::text
    from structure_blocks as made join structure_runs using (order_id)
    where made.order_id = order_targets.order_id and made.place = order_targets.place and made.block = 0`,
  `create table poses (
    order_number integer not null references orders (number) on delete cascade,
    row integer not null,
    place smallint not null,
    pose real,
    similarity real,
    difference real,
    keeps_stereo boolean,
    x real[],
    reason text,
    primary key (order_number, row, place)
  )`,
]
