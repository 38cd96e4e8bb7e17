import type { CellEdit } from '../../desktop/model/desktop.ts'
import { withEditedTables, writeCellEdits } from '../records/cell-edits.ts'
import { skipEffect } from './effects/context.ts'
import { liveContext } from './live-context.ts'
import { runWith, type ScenarioRun, withDesktop } from './scenario-run.ts'

/**
 * Writes cells that the user edited to the records that they show, and shows these. An edit that is refused is
 * recorded.
 */
export function readCellEdits(run: ScenarioRun, edits: readonly CellEdit[] | undefined): ScenarioRun {
  const { program } = run.scenario
  if (!program || !edits) return run
  const { data, refused } = writeCellEdits(program.records, program.scope, run.data, edits)
  const written = data === run.data ? run : runWith(run, { data })
  const shown = withEditedTables(program.records, written.desktop, edits, liveContext(written))
  return refused.reduce((next, reason) => skipEffect(next, 'edit', reason), withDesktop(written, shown))
}
