import { type LiveScope, sourcePath, typeAt } from '../data/scope.ts'
import { ANY } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { isProblem } from '../expression/expression.ts'
import { SCREEN_FUNCTION_NAMES } from '../expression/functions.ts'
import { inputFieldOf } from '../live/bind-input.ts'
import type { ElementTemplate, LiveHost, PlaceTemplate, RepeatTemplate } from '../live/live-program.ts'
import type { LiveTemplates } from '../live/live-template.ts'
import { namesOfItem } from '../live/prepare-live.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { type AuthoredElement, isTemplateElement, type LiveRepeat } from '../schema/element.ts'
import { isTextKey } from '../source/source.ts'
import { allWindows } from '../visit.ts'

/** What templates are compiled with. */
interface Compiling {
  readonly scope: LiveScope
  readonly templates: LiveTemplates
}

/** The elements of a checked file whose children follow the data. */
export function liveHosts(authored: AuthoredScenario, compiling: Compiling): readonly LiveHost[] {
  const hosts: LiveHost[] = []
  for (const { window, uid, path } of allWindows(authored)) {
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

/** @param items The names of the items around it. */
function templateOf(
  authored: AuthoredElement,
  position: string,
  around: NameTypes,
  items: readonly string[],
  compiling: Compiling,
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
  const parts = children.map((child, index) => templateOf(child, String(index), locals, inside, compiling))
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
