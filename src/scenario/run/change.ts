import { Fault } from '../../base/fault.ts'
import {
  copyPath,
  exists,
  type Files,
  movePath,
  removePath,
  resolvePath,
  writeFile,
} from '../../desktop/files/files.ts'
import { focusElement } from '../../desktop/input/focus.ts'
import { changeWindow, type Desktop, filesOf, type Window } from '../../desktop/model/desktop.ts'
import {
  changeAt,
  countNodes,
  type Element,
  nodeAt,
  pathOf,
  valueText,
  walk,
  withFields,
} from '../../desktop/model/element.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { without } from '../../desktop/tree/removal.ts'
import { placed } from '../../desktop/tree/reposition.ts'
import { closeWindow } from '../../desktop/windows/windowing.ts'
import { layOutWindow, needsLayout } from '../layout/layout.ts'
import { buildChildren, textOf, traitsOf, withoutUndefined } from '../load/build.ts'
import type { ElementChange, FileChange, ScenarioEffect } from '../schema/effect.ts'
import type { WrittenElement } from '../schema/element.ts'
import { elementWithId } from './guard.ts'
import { type CapturedGroups, fillTemplate, type TemplateField, type TemplateValues } from './template.ts'

/** Applies a list of `set` entries in order. Entries that name missing elements are skipped. */
export const applyScenarioChanges = (
  desktop: Desktop,
  changes: readonly ScenarioEffect[] | undefined,
  captured?: CapturedGroups,
  near?: string,
): Desktop =>
  (changes ?? []).reduce<Desktop>((current, change) => applyChange(current, change, captured, near), desktop)

function applyChange(
  desktop: Desktop,
  change: ScenarioEffect,
  captured: CapturedGroups,
  near: string | undefined,
): Desktop {
  const first = 'window' in change ? change.window : near
  const words: TemplateValues = {
    captured,
    lookUp: (id, field) => {
      const element = elementWithId(desktop, id, undefined, first ?? near)?.element
      return element && wordOf(element, field)
    },
  }
  if ('path' in change) return changeFile(desktop, change, words)
  if ('clipboard' in change) return { ...desktop, clipboard: fillTemplate(change.clipboard, words) }
  return changePart(desktop, change, words, near)
}

function wordOf(element: Element, field: TemplateField): string {
  if (field === 'name') return element.name
  if (field === 'value') return valueText(element) ?? ''
  const { rows } = element.traits ?? {}
  if (rows) return rows.names[rows.selected[0] ?? -1] ?? ''
  return [...walk(element)].find((item) => item !== element && item.selected === true)?.name ?? ''
}

/** Impossible file changes are skipped, like other entries that cannot be applied. */
function changeFile(desktop: Desktop, change: FileChange, words: TemplateValues): Desktop {
  try {
    const files = changedFiles(filesOf(desktop), change, (template) => fillTemplate(template, words))
    return files === desktop.files ? desktop : { ...desktop, files }
  } catch (error) {
    if (error instanceof Fault) return desktop
    throw error
  }
}

function changedFiles(files: Files, change: FileChange, filled: (template: string) => string): Files {
  const { text, copy_to, move_to, remove } = change
  const path = resolvePath('/', filled(change.path))
  if (remove) return removePath(files, path)
  if (copy_to !== undefined) return copyPath(files, path, resolvePath('/', filled(copy_to)))
  if (move_to !== undefined) return movePath(files, path, resolvePath('/', filled(move_to)))
  if (text === undefined) return files
  if (text === null) return exists(files, path) ? files : { ...files, [path]: null }
  return writeFile(files, path, filled(text))
}

/** Changes an element, or a window if no id is given. */
function changePart(desktop: Desktop, change: ElementChange, words: TemplateValues, near: string | undefined): Desktop {
  const { id } = change
  if (id === undefined) return changeWindowItself(desktop, change, words)
  const found = elementWithId(desktop, id, change.window, near)
  if (!found) return desktop
  const { uid } = found.window
  const changed = changeWindow(desktop, uid, (window) => {
    const path = pathOf(window.tree, id)!
    if (change.remove) return layOutWindow({ ...window, tree: without(window.tree, path) })
    const tree = changeAt(window.tree, path, (element) => changeElement(desktop, window, element, change, words))
    if (tree === window.tree) return window
    const parent = path.length === 0 ? undefined : nodeAt(window.tree, path.slice(0, -1))
    const next = { ...window, tree }
    return needsLayout(found.element, nodeAt(tree, path)!, parent) ? layOutWindow(next) : next
  })
  if (change.focused === true) return focusElement(changed, { window: uid, element: id })
  const loses = change.focused === false && changed.active === uid && found.window.focus === id
  return loses ? focusElement(changed, undefined) : changed
}

function changeWindowItself(desktop: Desktop, change: ElementChange, words: TemplateValues): Desktop {
  const { window: uid, title, busy, bounds } = change
  if (uid === undefined || !desktop.windows.some((window) => window.uid === uid)) return desktop
  if (change.remove) return closeWindow(desktop, uid)
  return changeWindow(desktop, uid, (window) => {
    const named = title === undefined ? window : { ...window, title: fillTemplate(title, words) }
    const settled = busy === undefined ? named : { ...named, busy }
    return bounds === undefined ? settled : layOutWindow({ ...settled, bounds, tree: placed(settled.tree, bounds) })
  })
}

function changeElement(
  desktop: Desktop,
  window: Window,
  element: Element,
  change: ElementChange,
  words: TemplateValues,
): Element {
  const text = (template: string | null | undefined) =>
    typeof template === 'string' ? fillTemplate(template, words) : template
  const file = text(change.file)
  const value = change.value === undefined ? textOf(desktop.files, file) : text(change.value)
  const fields = withoutUndefined({
    name: text(change.name) ?? undefined,
    value,
    enabled: change.enabled,
    keyboardShortcut: change.keyboard_shortcut,
    description: text(change.description),
    selected: change.selected,
    expanded: change.expanded,
    valueNow: newNumber(element, change),
    valueMin: change.value_min,
    valueMax: change.value_max,
  }) as Partial<Element>
  const { append, bounds, value_now: _, ...rest } = change
  const traits = { ...traitsOf(rest), ...(file !== undefined && { path: file ?? undefined }) }
  // The caret and the undo history belong to the previous text, the current item to the previous folder.
  const edited = {
    ...traits,
    ...(value !== undefined && { caret: undefined, history: undefined }),
    ...(change.folder !== undefined && { current: undefined, anchor: undefined, scrolled: undefined }),
  }
  let next = withFields(element, fields)
  if (
    Object.keys(edited).some(
      (name) => next.traits?.[name as keyof typeof traits] !== edited[name as keyof typeof traits],
    )
  )
    next = withTraits(next, { ...edited })
  if (bounds) next = ownPlace(placed(next, bounds))
  return append && countNodes(window.tree) < MAX_ELEMENTS
    ? {
        ...next,
        children: buildChildren(
          window,
          next,
          append.map((child) => filled(child, words)),
          desktop.files,
        ),
      }
    : next
}

/** The maximum number of elements in a window; a timer cannot append more. */
const MAX_ELEMENTS = 50_000

/** A new element with its placeholders filled. */
function filled(written: WrittenElement, words: TemplateValues): WrittenElement {
  const { name, value, children } = written
  return {
    ...written,
    ...(name === undefined ? {} : { name: fillTemplate(name, words) }),
    ...(typeof value === 'string' ? { value: fillTemplate(value, words) } : {}),
    ...(children && { children: children.map((child) => filled(child, words)) }),
  }
}

/** An element with new bounds is no longer placed by its parent's layout. */
function ownPlace({ place: _, ...element }: Element): Element {
  return element
}

function newNumber(element: Element, { value_now, value_min, value_max }: ElementChange): number | undefined {
  if (typeof value_now !== 'object') return value_now
  const sum = (element.valueNow ?? 0) + value_now.add
  return Math.min(value_max ?? element.valueMax ?? sum, Math.max(value_min ?? element.valueMin ?? sum, sum))
}
