import { didYouMean } from '../base/strings.ts'
import { type Element, nodeById, pathOf, walk } from '../desktop/model/element.ts'
import { chainTo } from '../desktop/tree/element-ref.ts'
import { instanceOf } from './composition/instance.ts'
import { refreshWindow } from './composition/refresh.ts'
import type { LeftOut, RefreshOptions } from './composition/refresh-work.ts'
import { type DataValue, textOfValue } from './expression/data-type.ts'
import type { ElementTemplate } from './live/live-program.ts'
import { liveContext } from './live-context.ts'
import { pathInFile, pathOfTemplate, windowsInFile } from './path-in-file.ts'
import { itemWindowRefreshed } from './run/effects/live-windows.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { KeyPath } from './source/source.ts'

/** Why an element is on the screen or not. */
export interface ElementExplanation {
  readonly element: string
  /** The window that has it. Undefined if none does. */
  readonly window: string | undefined
  readonly reasons: readonly PlacedReason[]
}

/** A reason, and the part of the file that it is about. */
export interface PlacedReason {
  readonly text: string
  readonly path: KeyPath | undefined
}

/** Explains why an element is on the screen of a run, or which condition, list or state leaves it out. */
export function explainElement(run: ScenarioRun, id: string): ElementExplanation {
  for (const { uid, tree } of run.desktop.windows) {
    const path = pathOf(tree, id)
    if (!path) continue
    const made = chainTo(tree, path).flatMap((element) => reasonsFor(run, uid, tree, element))
    const own = { text: `${id} is in the file as it is`, path: pathInFile(run.scenario, uid, id, tree) }
    return { element: id, window: uid, reasons: made.length > 0 ? made : [own] }
  }
  return { element: id, window: undefined, reasons: reasonsAgainst(run, id) }
}

/** Why an element that follows the data is there. */
function reasonsFor({ scenario }: ScenarioRun, uid: string, tree: Element, element: Element): readonly PlacedReason[] {
  const { item, source } = instanceOf(element) ?? {}
  if (!source) return []
  const { repeat, condition } = source.template
  const path = pathInFile(scenario, uid, element.id, tree)
  return [
    ...(item && repeat
      ? [
          {
            text: `${item.window === undefined ? element.id : `the window ${item.window}`} is the item ${item.key} of repeat: ${repeat.of}; ${recordInWords(item.name, item.value)}`,
            path,
          },
        ]
      : []),
    ...(condition === undefined ? [] : [{ text: `${element.id} is there because if: ${condition} is true`, path }]),
  ]
}

/** Why an element is not there. */
function reasonsAgainst(run: ScenarioRun, id: string): readonly PlacedReason[] {
  const { scenario } = run
  const left = leftOutOf(run).filter((each) => id === each.id || id.startsWith(`${each.id}.`))
  if (left.length > 0)
    return left.map(({ id: missing, template, items }) => {
      const { condition, repeat, inputs } = template
      const names = Object.keys(items).filter((name) => inputs.includes(name))
      const about = names.map((name) => recordInWords(name, items[name] as DataValue))
      const which = repeat ? ` of repeat: ${repeat.of}` : ''
      return {
        text: [`${missing}${which} is left out because if: ${condition} is not true`, ...about].join('; '),
        path: pathOfTemplate(scenario, template),
      }
    })
  const lists = templatesIn(run).filter((template) => template.repeat && isItemId(id, template))
  if (lists.length > 0)
    return lists.map((template) => {
      const keys = keysShown(run, template)
      const { of, page } = template.repeat!
      const shown = keys.length === 0 ? 'there are none' : `the keys are ${keys.slice(0, MAX_KEYS).join(', ')}`
      const where = page === undefined ? '' : ` on the page ${page}`
      return {
        text: `no item of repeat: ${of} has this id${where}; ${shown}`,
        path: pathOfTemplate(scenario, template),
      }
    })
  const shut = scenario.states.get(run.state)?.optional.find(({ tree }) => nodeById(tree, id))
  if (shut) {
    const live = scenario.program?.windows.find(({ state, uid }) => state === run.state && uid === shut.uid)
    const text = `${id} is in the window ${shut.uid}, which is not open because if: ${live?.condition} is not true`
    return [{ text, path: pathInFile(scenario, shut.uid, id) }]
  }
  const elsewhere = [...scenario.states].flatMap(([state, { windows, optional }]) =>
    [...windows, ...optional].filter(({ tree }) => nodeById(tree, id)).map(({ uid }) => ({ state, uid })),
  )
  if (elsewhere.length > 0)
    return elsewhere.map(({ state, uid }) => ({
      text: `${id} is in the window ${uid} of the state ${state}; the state is ${run.state}`,
      path: pathInFile(scenario, uid, id),
    }))
  const opened = [...scenario.windows.values()].find(({ tree }) => nodeById(tree, id))
  if (opened)
    return [
      {
        text: `${id} is in the window ${opened.uid}, which is not open`,
        path: windowsInFile(scenario, opened.uid).at(-1)?.path,
      },
    ]
  const ids = run.desktop.windows.flatMap(({ tree }) => [...walk(tree)].map((element) => element.id))
  const { id: part } = templatesIn(run).find((template) => template.id === id) ?? {}
  const hint =
    part === undefined ? didYouMean(id, ids) : `; it is a part of items, which have ids such as ${exampleOf(part, ids)}`
  return [{ text: `nothing has the id ${id}${hint}`, path: undefined }]
}

const MAX_KEYS = 20

/** The elements that a condition leaves out now. */
function leftOutOf(run: ScenarioRun): readonly LeftOut[] {
  const { program } = run.scenario
  const left: LeftOut[] = []
  if (!program) return left
  for (const window of run.desktop.windows) {
    const { uid } = window
    const hosts = program.hosts.filter(
      ({ window, state }) => window === uid && (state === undefined || state === run.state),
    )
    const options: RefreshOptions = {
      program,
      contextNear: (near, items) => liveContext(run, undefined, near, items),
      earlier: undefined,
      fromScratch: true,
      onLeftOut: (each) => left.push(each),
    }
    if (!itemWindowRefreshed(program, run, run.desktop, window, options))
      refreshWindow(run.desktop, uid, hosts, options)
  }
  return left
}

/** All templates of the windows that are open. */
function templatesIn({ scenario, desktop, state }: ScenarioRun): readonly ElementTemplate[] {
  const withParts = (template: ElementTemplate): readonly ElementTemplate[] => [
    template,
    ...template.children.flatMap(withParts),
  ]
  const { hosts = [], windows = [] } = scenario.program ?? {}
  const ofItems = windows.filter((window) => window.state === state).flatMap(({ items }) => items?.root ?? [])
  return [
    ...hosts
      .filter((host) => desktop.windows.some(({ uid }) => uid === host.window) && (host.state ?? state) === state)
      .flatMap(({ children }) => children.flatMap((child) => (typeof child === 'object' ? withParts(child) : []))),
    ...ofItems.flatMap(withParts),
  ]
}

/** Whether an id is that of an item of a template or of a part of one. */
const isItemId = (id: string, template: ElementTemplate): boolean =>
  template.id !== undefined && id.split('.').some((part) => part.startsWith(`${template.id}-`))

const keysShown = ({ desktop }: ScenarioRun, template: ElementTemplate): readonly string[] =>
  desktop.windows.flatMap(({ tree }) =>
    [...walk(tree)].flatMap((element) => {
      const { item, source } = instanceOf(element) ?? {}
      return item && source?.template === template ? [item.key] : []
    }),
  )

const exampleOf = (part: string, ids: readonly string[]): string =>
  ids.find((id) => id.endsWith(`.${part}`) || id.startsWith(`${part}-`)) ?? `${part}-7`

const MAX_RECORD = 200

/** An item with its name, shortened. */
export function recordInWords(name: string, value: DataValue): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : JSON.stringify(textOfValue(value))
  return `${name} = ${text.length <= MAX_RECORD ? text : `${text.slice(0, MAX_RECORD)}…`}`
}
