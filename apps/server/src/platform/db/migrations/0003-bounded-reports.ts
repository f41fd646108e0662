/** Reports of targets are bounded, and lists are read without opening one. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Cut like new reports; the rest is only counted.
  `update targets set report = jsonb_set(report, '{chains}', (
    select jsonb_agg(
      case when jsonb_array_length(entry -> 'gaps') <= 50 then entry
      else entry || jsonb_build_object(
        'gaps', jsonb_path_query_array(entry, '$.gaps[0 to 49]'),
        'gap_count', jsonb_array_length(entry -> 'gaps'))
      end order by place)
    from jsonb_array_elements(report -> 'chains') with ordinality as list (entry, place)))
  where exists (select from jsonb_array_elements(report -> 'chains') as list (entry)
    where jsonb_array_length(entry -> 'gaps') > 50)`,
  `update targets set report = report || jsonb_build_object(
    'mapped', jsonb_path_query_array(report, '$.mapped[0 to 99]'),
    'mapped_count', jsonb_array_length(report -> 'mapped'))
  where jsonb_array_length(report -> 'mapped') > 100`,
  // Length of the selected chain; follows a change of the selection.
  `create function chain_length(segments jsonb, chain text) returns integer
    language sql immutable as $$
      select coalesce(sum(length(segment)), 0)::integer
      from jsonb_array_elements_text(segments -> chain) segment
  $$`,
  `alter table targets add column residues integer not null
    generated always as (chain_length(segments, chain)) stored`,
  `alter table compounds add column mass double precision not null
    generated always as (coalesce((report ->> 'mass')::double precision, 0)) stored`,
]
