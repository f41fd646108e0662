/** Users can delete targets and compounds; their predictions stay, without a reference. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table tasks
    alter target_id drop not null,
    alter compound_id drop not null,
    drop constraint tasks_target_id_fkey,
    drop constraint tasks_compound_id_fkey,
    add constraint tasks_target_id_fkey
      foreign key (target_id) references targets on delete set null,
    add constraint tasks_compound_id_fkey
      foreign key (compound_id) references compounds on delete set null`,
  // For finding other owners of the same content: a picture is deleted with the last one.
  `create index targets_content on targets (content_hash)`,
  `create index compounds_content on compounds (content_hash)`,
]
