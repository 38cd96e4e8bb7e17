import * as z from 'zod'
import { problemWords } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { didYouMean } from '../../base/strings.ts'
import {
  doubledKeys,
  droppedKeys,
  echo,
  errorCode,
  hungWindow,
  latencies,
  lostClick,
  screenShift,
  silentNoOp,
  wrongCoordinates,
} from './action-faults.ts'
import type { ChosenFault, FaultHook, FaultKind } from './fault-kind.ts'
import { focusTheft, occludingToast, permissionDialog, sessionTimeout, updateDialog } from './interruptions.ts'
import {
  emptyTree,
  extraNodes,
  injections,
  lateTree,
  partialTree,
  stalePixels,
  staleReference,
} from './observation-faults.ts'

/** All faults. A new one is a definition in the file of its family, and one entry here. */
export const FAULT_CATALOGUE: readonly FaultKind[] = [
  errorCode,
  ...latencies,
  silentNoOp,
  lostClick,
  droppedKeys,
  doubledKeys,
  echo,
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
export type AuthoredFaults = readonly (string | ChosenFault)[]

/** Checks chosen faults and fills in their defaults. Throws `BadRequest` with a suggestion for what is wrong. */
export function checkFaults(authored: AuthoredFaults): readonly ChosenFault[] {
  if (authored.length > MAX_CHOSEN) throw badFaults(`at most ${MAX_CHOSEN} faults are allowed`)
  return authored.map((each) => {
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
