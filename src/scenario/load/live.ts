import { Fault } from '../../base/fault.ts'
import { shortened } from '../../base/strings.ts'
import { checkLiveWindows, liveHosts, liveWindows } from '../composition/templates.ts'
import { NO_DATA } from '../data/run-data.ts'
import { createScope, type ExpressionUse, type LiveScope } from '../data/scope.ts'
import type { ExpandedScenario } from '../expand/expand-scenario.ts'
import { withinBudget } from '../expression/budget.ts'
import type { CompilerCache } from '../expression/expression.ts'
import { parseDate } from '../expression/formats.ts'
import { compileLive } from '../live/compile-live.ts'
import { type LiveProgram, SHOWN_FIELDS } from '../live/live-program.ts'
import { type PreparedScenario, prepareLive, problemOfComputed } from '../live/prepare-live.ts'
import { checkRecords } from '../records/check-records.ts'
import { checkSheets, workbookOf } from '../records/check-sheets.ts'
import { formulaBarsOf } from '../records/formula-bar.ts'
import { recordsBindings } from '../records/records-grid.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import { isTextKey } from '../source/source.ts'
import { childOf, nodeText, plainValue, type Report } from '../source/source-node.ts'

/** The live parts of a composed file, before the schema has checked it. */
export interface LivePart {
  readonly scope: LiveScope
  readonly prepared: PreparedScenario | undefined
}

/** The live parts of a file without composition, in which only expressions of conditions can be live. */
export const plainLivePart = (value: unknown): LivePart => ({
  scope: createScope({ initial: NO_DATA, happenings: happeningsOf(value) }),
  prepared: undefined,
})

/** The names of what can happen in a file that was not checked: its events, and the ids of its reactions and timers. */
function happeningsOf(value: unknown): readonly string[] {
  const { events, reactions, timers, actors } = (value ?? {}) as Readonly<Record<string, unknown>>
  const answers = Object.values(actors ?? {}).map((actor) => actor?.answers)
  const ids = [reactions, timers, ...answers]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((entry) => entry?.id)
  return [...Object.keys(events ?? {}), ...Object.keys(actors ?? {}), ...ids.filter((id) => typeof id === 'string')]
}

const HAPPENING_SECTIONS = ['events', 'reactions', 'timers', 'actors']

/** Gives the live templates of a composed scenario their initial values. Problems are reported. */
export function livePartOf(
  { root, variables, computed, constants }: ExpandedScenario,
  report: Report,
  compilers?: CompilerCache,
): LivePart & { readonly prepared: PreparedScenario } {
  const sections = HAPPENING_SECTIONS.map((key) => [key, childOf(root, key)] as const)
  const happenings = happeningsOf(Object.fromEntries(sections.map(([key, node]) => [key, node && plainValue(node)])))
  const scope = createScope({
    initial: variables.values,
    vars: variables.types,
    constants,
    computed,
    happenings,
    ...(compilers && { compilers }),
  })
  for (const { name, text, place } of computed) {
    const wrong = problemOfComputed(scope.computed.get(name)!.expression)
    if (wrong !== undefined) report(place, `in ${shortened(text)}: ${wrong}`)
  }
  const startMs = startOf(nodeText(childOf(root, 'start_time'))) ?? 0
  const prepared = withinBudget(() => prepareLive(root, { scope, startMs, isText: isTextKey, report }))
  return { scope, prepared }
}

/** The time of `start_time` in milliseconds. Undefined when it is left out or not a time, which the schema reports. */
export function startOf(text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : parseDate(text).getTime()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Puts templates back in place of the values that stood for them while the schema checked the file. */
export function restoreTemplates(authored: unknown, prepared: PreparedScenario | undefined): void {
  for (const { path, text } of prepared?.typed ?? []) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], authored)
    if (typeof parent === 'object' && parent !== null) (parent as Record<string | number, unknown>)[path.at(-1)!] = text
  }
}

/** The live parts of a file in a variant, in which some texts are others. */
export function livePartIn(
  live: LivePart,
  authored: object,
  {
    retext,
    recompute,
  }: { readonly retext: (text: string) => string; readonly recompute?: ((text: string) => string) | undefined },
): LivePart {
  const { prepared } = live
  if (!prepared) return live
  const { computed } = live.scope
  const isSame = !recompute || [...computed.values()].every(({ text }) => recompute(text) === text)
  const scope = isSame ? live.scope : live.scope.withComputed(recompute)
  const bindings = prepared.bindings.map((binding) => ({ ...binding, text: retext(binding.text) }))
  const texts = new Set([...prepared.texts, ...bindings.map(({ text }) => text), ...templatesIn(authored)])
  return { scope, prepared: { ...prepared, bindings, texts } }
}

/** Formats the texts of effects that write a shown field, and those without a template, which fields have. */
export function formatShown(
  authored: unknown,
  formatText: (text: string) => string,
): NonNullable<LiveProgram['formatText']> {
  const shown = new Set(shownTexts(authored))
  return (text, template) => (template === undefined || shown.has(template) ? formatText(text) : text)
}

function shownTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === 'string' ? (SHOWN_FIELDS.has(key) ? [part] : []) : shownTexts(part),
  )
}

/** The texts with templates in a value. In a composed file they are live: the others are filled. */
function templatesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('{{') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(templatesIn) : []
}

/** What the scenario evaluates while it runs, or undefined if it evaluates nothing, and what is wrong with it. */
export function liveProgramOf(
  authored: AuthoredScenario,
  { scope, prepared }: LivePart,
): {
  readonly program: LiveProgram | undefined
  readonly problems: readonly UnlocatedProblem[]
  readonly uses: readonly ExpressionUse[]
} {
  const {
    templates,
    problems: wrong,
    uses: compiled,
    isLive,
  } = compileLive(authored, scope, prepared?.texts ?? new Set())
  const problems = [
    ...wrong,
    ...checkRecords(authored, scope),
    ...checkSheets(authored, scope),
    ...checkLiveWindows(authored, scope),
  ]
  const formulaBars = formulaBarsOf(authored, (problem) => problems.push(problem))
  const { bindings = [], inputs = [] } = prepared ?? {}
  const uses = [...(prepared?.uses ?? []), ...compiled]
  if (!isLive && bindings.length === 0 && inputs.length === 0 && Object.keys(scope.vars).length === 0)
    return { program: undefined, problems, uses }
  const readsTime = bindings.some(({ names }) => names.has('now'))
  const workbook = problems.length === 0 ? workbookOf(authored) : undefined
  const records = problems.length === 0 ? recordsBindings(authored, scope, workbook) : []
  const hosts = problems.length === 0 ? liveHosts(authored, { scope, templates }) : []
  const windows = problems.length === 0 ? liveWindows(authored, { scope, templates }, prepared?.sides) : []
  const isTimed = readsTime || workbook !== undefined || [...hosts, ...windows].some(({ names }) => names.has('now'))
  const made = { bindings, inputs, records, workbook, formulaBars, hosts, windows, readsTime: isTimed }
  const program = { scope, templates, ...made }
  return { program, problems, uses }
}
