import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { problemWords } from '../../base/issues.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import type { ChosenFault, FaultHook, FaultKind } from './fault-kind.ts'
import { permissionDialog, updateDialog } from './kinds/dialogs.ts'
import { errorCode } from './kinds/error-code.ts'
import { extraNodes } from './kinds/extra-nodes.ts'
import { focusTheft } from './kinds/focus-theft.ts'
import { hungWindow } from './kinds/hung-window.ts'
import { injections } from './kinds/injected-text.ts'
import { doubledKeys, droppedKeys } from './kinds/keys.ts'
import { lateTree } from './kinds/late-tree.ts'
import { latencies } from './kinds/latency.ts'
import { lostClick } from './kinds/lost-click.ts'
import { occludingToast } from './kinds/occluding-toast.ts'
import { emptyTree, partialTree } from './kinds/partial-tree.ts'
import { screenShift } from './kinds/screen-shift.ts'
import { sessionTimeout } from './kinds/session-timeout.ts'
import { silentNoOp } from './kinds/silent-no-op.ts'
import { stalePixels } from './kinds/stale-pixels.ts'
import { staleReference } from './kinds/stale-reference.ts'
import { wrongCoordinates } from './kinds/wrong-coordinates.ts'

/** All faults. A new one is one file and one entry here. */
export const FAULT_CATALOGUE: readonly FaultKind[] = [
  errorCode,
  ...latencies,
  silentNoOp,
  lostClick,
  droppedKeys,
  doubledKeys,
  screenShift,
  focusTheft,
  lateTree,
  partialTree,
  emptyTree,
  stalePixels,
  ...extraNodes,
  wrongCoordinates,
  staleReference,
  occludingToast,
  updateDialog,
  permissionDialog,
  sessionTimeout,
  hungWindow,
  ...injections,
]

const KINDS: ReadonlyMap<string, FaultKind> = new Map(FAULT_CATALOGUE.map((kind) => [kind.id, kind]))

/** The hook of a fault. Its parameters were checked, so that any are accepted. */
export const hookOf = ({ fault }: ChosenFault): FaultHook<ChosenFault> =>
  KINDS.get(fault)!.hook as unknown as FaultHook<ChosenFault>

/** A fault of the catalogue in a scenario. */
export const CatalogueFault = z
  .discriminatedUnion(
    'fault',
    FAULT_CATALOGUE.map(({ schema }) => schema) as unknown as [z.ZodObject<{ fault: z.ZodLiteral<string> }>],
  )
  .meta({ id: 'CatalogueFault', examples: [{ fault: 'lost-click', times: 1 }] }) as unknown as z.ZodType<ChosenFault>

const MAX_CHOSEN = 100

/** Faults as a caller writes them: names, or names with parameters. */
export type WrittenFaults = readonly (string | ChosenFault)[]

/** Checks chosen faults and fills in their defaults. Throws `BadRequest` with a suggestion for what is wrong. */
export function checkFaults(written: WrittenFaults): readonly ChosenFault[] {
  if (written.length > MAX_CHOSEN) throw badFaults(`at most ${MAX_CHOSEN} faults are allowed`)
  return written.map((each) => {
    const given = typeof each === 'string' ? { fault: each } : each
    const kind = KINDS.get(given?.fault)
    if (!kind) throw badFaults(unknownFault(String(given?.fault)))
    const checked = kind.schema.safeParse(given)
    if (checked.success) return checked.data
    const [issue] = checked.error.issues as [z.core.$ZodIssue]
    throw badFaults(`${[given.fault, ...issue.path].join('.')}: ${problemWords(issue)}`)
  })
}

const badFaults = (message: string): Fault => new Fault('BadRequest', `faults: ${message}`, { field: 'faults' })

function unknownFault(name: string): string {
  const names = [...KINDS.keys()]
  const hint = didYouMean(name, names)
  const listed = `the faults are ${names.join(', ')}`
  return `unknown fault ${JSON.stringify(name)}${hint === '' ? `; ${listed}` : `${hint} T${listed.slice(1)}`}`
}
