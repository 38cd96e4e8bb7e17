import { EMPTY_TREE } from '../build-window.ts'
import { type LiveScope, sourcePath, typeAt } from '../data/scope.ts'
import { ANY } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import { inputFieldOf } from '../live/bind-input.ts'
import type {
  Closing,
  ElementTemplate,
  LiveHost,
  LiveSide,
  PlaceTemplate,
  RepeatTemplate,
  WindowTemplate,
} from '../live/live-program.ts'
import type { LiveTemplates } from '../live/live-template.ts'
import { namesOfItem } from '../live/prepare-live.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { type AuthoredElement, type AuthoredWindow, isTemplateElement, type LiveRepeat } from '../schema/element.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import { isTextKey } from '../source/source.ts'
import { allWindows, forEachEffect, windowsInStates } from '../visit.ts'

/** What templates are compiled with. */
interface Compiling {
  readonly scope: LiveScope
  readonly templates: LiveTemplates
}

/** The elements of a checked file whose children follow the data. */
export function liveHosts(authored: AuthoredScenario, compiling: Compiling): readonly LiveHost[] {
  const hosts: LiveHost[] = []
  for (const { window, uid, path } of allWindows(authored)) {
    if (window.repeat) continue
    const state = path[0] === 'states' ? String(path[1]) : undefined
    if (window.tree) visit(window.tree, 'root')

    function visit(element: AuthoredElement, position: string): void {
      const { children = [] } = element
      if (children.some(isTemplateElement)) {
        const made = children.map((child, index) =>
          isTemplateElement(child)
            ? templateOf(child, `${position}.${index}`, {}, [], compiling)
            : (child.id ?? `${position}.${index}`),
        )
        const templates = made.filter((child) => typeof child === 'object')
        hosts.push({
          state,
          window: uid,
          element: element.id ?? position,
          children: made,
          names: new Set(templates.flatMap(({ names }) => names)),
          readsScreen: templates.some(({ readsScreen }) => readsScreen),
          isVirtual: templates.some(({ isVirtual }) => isVirtual),
        })
      }
      for (const [index, child] of children.entries())
        if (!isTemplateElement(child)) visit(child, `${position}.${index}`)
    }
  }
  return hosts
}

/** The windows of a checked file that the running scenario opens and closes. */
export function liveWindows(
  authored: AuthoredScenario,
  compiling: Compiling,
  sides: readonly LiveSide[] = [],
): readonly WindowTemplate[] {
  const { scope } = compiling
  return windowsInStates(authored).flatMap(({ window, uid, path }): readonly WindowTemplate[] => {
    if (!isTemplateElement(window)) return []
    const { tree = EMPTY_TREE, repeat, if: condition, ...fixed } = window
    const closing = closingOf(authored, window, uid, scope) ?? REACT
    const place = { state: String(path[1]), uid, position: Number(path[3]), condition, closing }
    if (!repeat) return [{ ...place, names: namesIn([condition!], {}, scope), items: undefined }]
    const template = templateOf({ ...tree, repeat }, 'root', {}, [], compiling, true)
    const root = { ...template, repeat: template.repeat!, window: uid }
    const own = sides.filter(({ state, window: named }) => state === place.state && named === uid)
    const texts = [...(condition === undefined ? [] : [condition]), ...expressionsIn(fixed, compiling.templates)]
    const names = new Set([...template.names, ...namesIn(texts, template.locals, scope)])
    return [{ ...place, names, items: { fixed, root, sides: own } }]
  })
}

const REACT: Closing = { kind: 'react' }

/** The live expressions in a value. */
function expressionsIn(value: unknown, templates: LiveTemplates): readonly string[] {
  if (typeof value === 'string')
    return (templates.get(value) ?? []).flatMap((segment) => (segment.kind === 'expression' ? [segment.text] : []))
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((part) => expressionsIn(part, templates))
    : []
}

const namesIn = (texts: readonly string[], locals: NameTypes, scope: LiveScope): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) => {
      const expression = scope.compile(text, locals)
      return isProblem(expression) ? [] : [...expression.names]
    }),
  )

/** What closing a window does. Undefined if the file has to say it in a reaction and does not. */
function closingOf(
  { reactions }: AuthoredScenario,
  { repeat, if: condition = '' }: AuthoredWindow,
  uid: string,
  scope: LiveScope,
): Closing | undefined {
  if (reactions?.some(({ on }) => on?.tool === 'close_window' && on.window === uid)) return REACT
  if (repeat) return sourceOf(repeat.of, [], scope) ? { kind: 'remove' } : undefined
  const type = /^\w+(\.\w+)*$/.test(condition) ? typeAt(scope.vars, condition) : undefined
  return type?.kind === 'bool' ? { kind: 'clear', variable: condition } : undefined
}

/** What is wrong with windows that the running scenario opens and closes, and with effects on them. */
export function checkLiveWindows(authored: AuthoredScenario, scope: LiveScope): readonly UnlocatedProblem[] {
  const problems: UnlocatedProblem[] = []
  const live = windowsInStates(authored).filter(({ window }) => isTemplateElement(window))
  for (const { window, uid, path } of live) {
    const { repeat, if: condition } = window
    const report = (key: string, message: string) => problems.push({ path: [...path, key], message })
    if (repeat && window.uid === undefined)
      report('repeat', 'windows of a repeat need a uid; write uid: draft, and the window of the item 7 is draft-7')
    if (repeat?.item_height !== undefined) report('repeat', 'item_height is for the items of a list; leave it out')
    for (const key of ['handle', 'pid', 'browser'] as const)
      if (repeat && window[key] !== undefined) report(key, `the windows of a repeat have their own; leave out ${key}`)
    if (!closingOf(authored, window, uid, scope))
      report(
        repeat ? 'repeat' : 'if',
        `closing the window cannot change ${repeat ? repeat.of : condition}; write a reaction {on: {tool: close_window, window: ${uid}}, set: […]}`,
      )
  }
  if (live.length > 0)
    forEachEffect(authored, (effect, path) => {
      const open = 'open' in effect && typeof effect.open === 'string' ? effect.open : undefined
      const found = live.find(({ uid, window }) => uid === open || (window.repeat && open?.startsWith(`${uid}-`)))
      if (!found) return
      const { repeat, if: condition } = found.window
      const message = repeat
        ? `the windows ${found.uid} follow ${repeat.of}; change it, for example with append`
        : `the window ${open} follows ${condition}; change what it depends on`
      problems.push({ path: [...path, 'open'], message })
    })
  return problems
}

/**
 * @param items The names of the items around it.
 * @param isWhole Whether the positions of its children are counted from the root of their window.
 */
function templateOf(
  authored: AuthoredElement,
  position: string,
  around: NameTypes,
  items: readonly string[],
  compiling: Compiling,
  isWhole = false,
): ElementTemplate {
  const { scope, templates } = compiling
  const { repeat: over, if: condition, bind, children = [], ...rest } = authored
  const repeat = over && repeatOf(over, around, items, scope)
  const listType = repeat && typeOf(repeat.of, around, scope)
  const locals = repeat && listType ? { ...around, ...namesOfItem(repeat.as, listType) } : around
  const inside = repeat ? [...items, repeat.as] : items
  const fields = Object.entries(rest).flatMap(([key, text]) =>
    typeof text === 'string' && templates.has(text) ? [{ key, text, isText: isTextKey(key) }] : [],
  )
  const fixed = Object.fromEntries(
    Object.entries(rest).filter(([key]) => !fields.some((field) => field.key === key)),
  ) as AuthoredElement
  const parts = children.map((child, index) =>
    templateOf(
      child,
      isWhole ? `${position}.${index}` : String(index),
      locals,
      inside,
      compiling,
      isWhole && !isTemplateElement(child),
    ),
  )
  const texts = fields.flatMap(({ text }) =>
    templates.get(text)!.flatMap((segment) => (segment.kind === 'expression' ? [segment.text] : [])),
  )
  const used = [...texts, ...(condition === undefined ? [] : [condition])].map((text) => scope.compile(text, locals))
  const field = bind === undefined ? undefined : inputFieldOf(authored.role ?? '')
  const own = new Set(repeat && [repeat.as, `${repeat.as}_index`])
  const names = new Set([
    ...used.flatMap((expression) => (isProblem(expression) ? [] : [...expression.names])),
    ...(bind === undefined ? [] : [bind.split('.')[0]!]),
    ...parts.flatMap((part) => part.names),
  ])
  return {
    fixed,
    id: authored.id,
    position,
    repeat,
    condition,
    fields,
    bind:
      bind === undefined || field === undefined
        ? undefined
        : {
            root: bind.split('.')[0]!,
            isItem: inside.includes(bind.split('.')[0]!),
            fields: bind.split('.').slice(1),
            field,
            type: typeAt({ ...scope.vars, ...locals }, bind) ?? ANY,
          },
    children: parts,
    locals,
    inputs: [...names],
    names: [...new Set([...[...names].filter((name) => !own.has(name)), ...(repeat?.names ?? [])])],
    readsScreen:
      used.some((expression) => !isProblem(expression) && [...expression.calls].some(readsScreen)) ||
      parts.some((part) => part.readsScreen),
    isVirtual: repeat?.itemHeight !== undefined || parts.some((part) => part.isVirtual),
  }
}

const readsScreen = (name: string): boolean => SCREEN_FUNCTION_NAMES.has(name)

function repeatOf(
  { of, as = 'item', name = as, key = 'id', sort_by: sortBy, descending = false, page, ...sizes }: LiveRepeat,
  around: NameTypes,
  items: readonly string[],
  scope: LiveScope,
): RepeatTemplate {
  const texts = page === undefined ? [of] : [of, page]
  const names = texts.flatMap((text) => {
    const expression = scope.compile(text, around)
    return isProblem(expression) ? [] : [...expression.names]
  })
  const source = sourceOf(of, items, scope)
  const { page_size: pageSize, item_height: itemHeight } = sizes
  return { of, names, as, name, key, sortBy, descending, page, pageSize, itemHeight, source }
}

const typeOf = (text: string, locals: NameTypes, scope: LiveScope) => {
  const expression = scope.compile(text, locals)
  return isProblem(expression) ? ANY : expression.type
}

/** The list of the data that an expression selects items of, in a variable or in an item around. */
function sourceOf(text: string, items: readonly string[], scope: LiveScope): PlaceTemplate | undefined {
  const place = sourcePath(text, scope)
  const isItem = place !== undefined && items.includes(place.root)
  return place && (isItem || Object.hasOwn(scope.vars, place.root)) ? { ...place, isItem } : undefined
}
