import type { Action } from '../../desktop/input/action.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, type Path, pathOf, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { kindOf, kindsWhere, kindsWith } from '../../desktop/model/role.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { isBehindDialog } from '../../desktop/tree/modal.ts'
import { revealedIds, shownBounds } from '../../desktop/tree/visible-bounds.ts'
import { blockerOf } from '../../desktop/windows/stacking.ts'
import { nextAtMs } from '../run/elapse.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { RunInput } from '../run/step.ts'
import type { Scenario } from '../scenario.ts'

/** Something that an agent might do on a screen. */
export interface CandidateAction {
  readonly input: RunInput
  /** In words, such as `click Button "Save"`. */
  readonly label: string
  /** The element that it presses, as `window element`. */
  readonly pressed?: string
}

/** Words and keys of a scenario that actions use. */
export interface ActionHints {
  /** Texts by the id of the field that a guard compares with them. */
  readonly textsOf: ReadonlyMap<string, readonly string[]>
  readonly texts: readonly string[]
  readonly keys: readonly string[]
  /** Tools that triggers name, beside pressing and typing. */
  readonly tools: ReadonlySet<string>
}

const MAX_TEXTS = 8
/** Of the items of one list, only the first are tried. */
const MAX_ITEMS = 12
const MAX_ELEMENTS = 200
const OTHER_TEXT = 'something else'

/** Collects the texts of guards, oracles and the solution, and the keys and tools of triggers. */
export function actionHintsOf(scenario: Scenario): ActionHints {
  const textsOf = new Map<string, Set<string>>()
  const texts = new Set<string>()
  const keys = new Set<string>()
  const tools = new Set<string>()
  visit([scenario.reactions, scenario.timers], (entry) => {
    if (typeof entry.id === 'string')
      for (const text of [entry.value, literalOf(entry.value_regex)])
        if (typeof text === 'string') textsOf.set(entry.id, (textsOf.get(entry.id) ?? new Set()).add(text))
    if (typeof entry.tool !== 'string') return
    tools.add(entry.tool)
    const text = literalOf(entry.text_regex)
    if (text !== undefined) (entry.tool === 'press_key' ? keys : texts).add(text)
    if (typeof entry.keys === 'string') keys.add(entry.keys)
  })
  visit(scenario.solutions, ({ text, value, keys: chord }) => {
    for (const each of [text, value]) if (typeof each === 'string' && !each.includes('{{')) texts.add(each)
    if (typeof chord === 'string') keys.add(chord)
  })
  visit(scenario.oracles, ({ expected }) => {
    if (typeof expected === 'string') texts.add(expected)
  })
  return {
    textsOf: new Map([...textsOf].map(([id, found]) => [id, [...found]])),
    texts: [...texts],
    keys: [...keys],
    tools,
  }
}

/** A pattern that is a plain text. */
const literalOf = (pattern: unknown): string | undefined =>
  typeof pattern === 'string' && /^[\p{L}\p{N} _+@-]+$/u.test(pattern) ? pattern : undefined

function visit(value: unknown, see: (entry: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  else if (typeof value === 'object' && value !== null) {
    see(value as Readonly<Record<string, unknown>>)
    for (const part of Object.values(value)) visit(part, see)
  }
}

/** The actions to try on a screen, in the order of its windows and elements. */
export function candidateActions(run: ScenarioRun, hints: ActionHints): readonly CandidateAction[] {
  const { desktop } = run
  const actions: CandidateAction[] = []
  for (const window of desktop.windows) {
    if (window.state === 'minimized' || window.busy || blockerOf(desktop, window)) continue
    actions.push(...actionsIn(window, hints))
    if (hints.tools.has('close_window'))
      actions.push(candidate({ type: 'window', window: window.uid, to: 'close' }, `close ${window.title}`))
    if (desktop.active !== window.uid)
      actions.push(candidate({ type: 'activate', window: window.uid }, `activate ${window.title}`))
  }
  for (const keys of hints.keys) actions.push(candidate({ type: 'key', keys }, `press ${keys}`))
  const atMs = nextAtMs(run)
  if (atMs !== undefined)
    actions.push({ input: { type: 'tick', nowMs: atMs }, label: `wait ${Math.max(0, atMs - run.nowMs)} ms` })
  return actions
}

const candidate = (action: Action, label: string, pressed?: string): CandidateAction => ({
  input: { type: 'action', action },
  label,
  ...(pressed !== undefined && { pressed }),
})

const PRESSED = kindsWhere(({ focus, item }) => focus !== 'never' || item !== 'none')
const SHOWN = kindsWith('showsName')
const TEXTS = kindsWhere(({ text }) => text !== 'none')
const RANGES: ReadonlySet<string> = new Set(['slider', 'spinner', 'date'])

function actionsIn(window: Window, hints: ActionHints): readonly CandidateAction[] {
  const revealed = revealedIds(window.tree)
  const actions: CandidateAction[] = []
  const items = new Map<Element, number>()
  let count = 0
  for (const element of walk(window.tree)) {
    if (!revealed.has(element.id) || count >= MAX_ELEMENTS) continue
    const path = pathOf(window.tree, element.id)
    if (!path || path.length === 0 || isBehindDialog(window.tree, path)) continue
    const chain = chainTo(window.tree, path)
    if (!chain.every(({ enabled }) => enabled)) continue
    const parent = chain[1]
    const place = (parent && items.get(parent)) ?? 0
    if (parent) items.set(parent, place + 1)
    if (kindOf(element.role) !== 'button' && place >= MAX_ITEMS) continue
    count++
    actions.push(...actionsOn(window, element, path, hints))
  }
  return actions
}

function actionsOn(window: Window, element: Element, path: Path, hints: ActionHints): readonly CandidateAction[] {
  const kind = kindOf(element.role)
  const target = { window: window.uid, element: element.id }
  const shown = shownBounds(window.tree, path)
  const at = centerOf(shown ?? element.bounds)
  const name = element.name === '' ? `${element.role} ${element.id}` : `${element.role} "${element.name}"`
  const actions: CandidateAction[] = []
  const pressed = `${window.uid} ${element.id}`
  if (TEXTS.has(kind) || RANGES.has(kind)) {
    if (element.traits?.readOnly) return actions
    const texts = [
      ...(hints.textsOf.get(element.id) ?? []),
      ...hints.texts,
      ...(TEXTS.has(kind) ? ['', OTHER_TEXT] : []),
    ]
    for (const value of [...new Set(texts)].slice(0, MAX_TEXTS))
      if (value !== element.value)
        actions.push(candidate({ type: 'set_value', target, at, value, clearFirst: true }, `set ${name} to "${value}"`))
  }
  if (kind === 'combo')
    element.children.slice(0, MAX_ITEMS).forEach((option, index) => {
      if (option.name !== element.value)
        actions.push(candidate({ type: 'select', target, at, option: { index } }, `select "${option.name}" in ${name}`))
    })
  if ((PRESSED.has(kind) || SHOWN.has(kind) || kind === 'menuitem') && !TEXTS.has(kind)) {
    const click: Action = shown
      ? { type: 'click', at, button: 'left', count: 1, target }
      : { type: 'invoke', target, at }
    actions.push(candidate(click, `click ${name}`, pressed))
  } else if (hints.tools.has('click_element') && shown)
    actions.push(candidate({ type: 'click', at, button: 'left', count: 1, target }, `click ${name}`))
  if (!shown) return actions
  if (hints.tools.has('double_click_element') || kind === 'listitem')
    actions.push(candidate({ type: 'click', at, button: 'left', count: 2, target }, `double-click ${name}`))
  if (hints.tools.has('right_click_element'))
    actions.push(candidate({ type: 'click', at, button: 'right', count: 1, target }, `right-click ${name}`))
  if (hints.tools.has('hover_element'))
    actions.push(candidate({ type: 'hover', at, forMs: 0, target }, `hover over ${name}`))
  if (hints.tools.has('focus_element')) actions.push(candidate({ type: 'focus', target, at }, `focus ${name}`))
  return actions
}
