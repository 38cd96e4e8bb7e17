import { Fault } from '../../base/fault.ts'
import { UnreceivedInput } from '../input/action.ts'
import { type Chord, formatChord, parseChord } from '../input/keys.ts'
import { shortcutIn } from '../input/shortcut.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { nodeAt, pathOf } from '../model/element.ts'
import { centerOf } from '../model/geometry.ts'
import { roleKind, rolesWith } from '../model/role.ts'
import { pressDefaultButton } from '../roles/button.ts'
import { openContextMenu, pressMnemonic } from '../roles/menu.ts'
import { widgetAt, widgetOf } from '../roles/widgets.ts'
import { closeOpenPart, toggleLauncher } from '../shell/shell.ts'
import { styleMetrics } from '../style/style.ts'
import { type ElementRef, findShown, focusedRef, isEnabled, targetOf, windowOf } from '../tree/element-ref.ts'
import { shownBounds } from '../visible-bounds.ts'
import { comboOf } from '../widgets/combo.ts'
import { isField } from '../widgets/edit.ts'
import { closePopup, closePopups, openPopups } from '../widgets/popup.ts'
import { selectTabBy } from '../widgets/tabs.ts'
import { isMultiline } from '../widgets/text-view.ts'
import { recordPressOnce } from '../widgets/widget.ts'
import { focusElement, moveFocus } from '../windows/focus.ts'
import { canMaximize } from '../windows/frame.ts'
import { shellOf } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { assertTakesInput, closeWindow, maximize, minimize, restore, switchWindow } from '../windows/windowing.ts'

/**
 * Presses a key or chord. A key without a meaning in the focused element does nothing. Throws `BadRequest` for an
 * unknown key.
 */
export function dispatchKey(desktop: Desktop, keys: string): Desktop {
  const chord = parseChord(keys)
  const global = pressOnDesktop(desktop, chord)
  if (global) return global
  const bar = barWithMenu(desktop)
  const inBar = bar && pressInPopup(desktop, bar, chord)
  if (inBar) return inBar
  const window = desktop.active === undefined ? undefined : windowOf(desktop, desktop.active)
  if (!window || window.busy || blockerOf(desktop, window)) return desktop
  return (
    pressInPopup(desktop, window, chord) ??
    pressInFocus(desktop, chord) ??
    pressShortcut(desktop, window, chord) ??
    pressMnemonic(desktop, window, chord) ??
    pressInWindow(desktop, window, chord) ??
    desktop
  )
}

/**
 * Types text where keys go, with Enter for a line feed and Tab for a tab, which only a multi-line field inserts. Throws
 * `UnreceivedInput` if nothing takes text.
 */
export function dispatchText(desktop: Desktop, text: string): Desktop {
  assertTakesText(text)
  let next = desktop
  for (let rest = text.replace(/\r\n?/g, '\n'); rest !== ''; ) [next, rest] = typeFirst(next, rest)
  return next
}

/**
 * Types the part of a text that goes to one element, and returns the rest. An open menu takes it character by
 * character.
 */
function typeFirst(desktop: Desktop, text: string): readonly [Desktop, rest: string] {
  const active = desktop.active === undefined ? undefined : windowOf(desktop, desktop.active)
  const window = barWithMenu(desktop) ?? active
  if (window && isMenuOpen(window)) {
    assertTakesInput(desktop, window)
    const letter = String.fromCodePoint(text.codePointAt(0)!)
    const chord: Chord = { modifiers: [], key: keyOfCharacter(letter) }
    return [pressInPopup(desktop, window, chord) ?? desktop, text.slice(letter.length)]
  }
  const ref = focusedRef(desktop)
  if (ref && isField(ref.element) && isMultiline(ref.element)) return [typeInto(desktop, ref, text), '']
  const part = /^(?:[\n\t]|[^\n\t]+)/.exec(text)![0]
  const key = part === ' ' ? undefined : KEYS.get(part)
  return [key ? dispatchKey(desktop, key) : typeInto(desktop, ref, part), text.slice(part.length)]
}

/**
 * What takes typed text: a field of several lines, which also inserts line feeds and tabs, another control, or nothing. An open
 * menu takes text as well.
 */
export function takesTypedText(desktop: Desktop): 'lines' | 'text' | 'nothing' {
  const active = desktop.active === undefined ? undefined : windowOf(desktop, desktop.active)
  const window = barWithMenu(desktop) ?? active
  if (window && isMenuOpen(window)) return 'text'
  const ref = focusedRef(desktop)
  if (!ref || !widgetOf(ref.element)?.type) return 'nothing'
  return isField(ref.element) && isMultiline(ref.element) && !ref.element.traits?.readOnly ? 'lines' : 'text'
}

/** Characters that are typed by a named key. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['\n', 'enter'],
  ['\t', 'tab'],
  [' ', 'space'],
])

/** The name of the key that types a character: `enter` for a line feed. */
export const keyOfCharacter = (character: string): string => KEYS.get(character) ?? character

const MENUS = rolesWith('menuKeys')

/** The innermost open popup. Tooltips do not take keys. */
const popupWithKeys = (window: Window): ElementRef | undefined =>
  openPopups(window).findLast(({ element }) => roleKind(element.role) !== 'tooltip')

const isMenuOpen = (window: Window): boolean => {
  const popup = popupWithKeys(window)
  return popup !== undefined && MENUS.has(roleKind(popup.element.role))
}

/** The bar of the shell in which a menu is open. It takes the keys although no bar is ever active. */
const barWithMenu = (desktop: Desktop): Window | undefined =>
  desktop.shell?.windows.find((window) => window.shell === 'bar' && isMenuOpen(window))

function typeInto(desktop: Desktop, ref: ElementRef | undefined, text: string): Desktop {
  if (!ref) throw new UnreceivedInput('nothing has the keyboard; click or focus a field first, then type')
  assertTakesInput(desktop, ref.window)
  if (!isEnabled(ref)) throw new Fault('ElementDisabled', `"${ref.element.name}" is disabled`, { ...targetOf(ref) })
  const type = widgetOf(ref.element)?.type
  if (type) return type(desktop, ref, text)
  const { role, name } = ref.element
  throw new UnreceivedInput(`the ${role} "${name}" has the keyboard and takes no text; click or focus a field first`, {
    element_id: ref.element.id,
  })
}

/** Throws `BadRequest` for characters that no keyboard types: control characters and lone surrogates. */
export function assertTakesText(text: string): void {
  const odd = untypableIn(text)
  if (!odd) return
  const { code, index } = odd
  throw new Fault(
    'BadRequest',
    `the text holds U+${code} at ${index}, which cannot be typed; press keys with press_key`,
    {
      index,
    },
  )
}

/** The first character of a text that no field takes: its code point in hexadecimal, and its index. */
export function untypableIn(text: string): { readonly code: string; readonly index: number } | undefined {
  const odd = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/u.exec(text)
  return odd
    ? { code: odd[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0'), index: odd.index }
    : undefined
}

/** Shortcuts of the desktop itself. */
function pressOnDesktop(desktop: Desktop, chord: Chord): Desktop | undefined {
  const holder = desktop.active === undefined ? undefined : windowOf(desktop, desktop.active)
  const active = holder?.shell ? undefined : holder
  const shell = shellOf(desktop)
  switch (formatChord(chord)) {
    case 'meta':
    case 'ctrl+escape':
    case shell?.launcherKey:
      return shell && toggleLauncher(closePopups(desktop))
    case 'alt+tab':
    case 'alt+escape':
      return switchWindow(closePopups(desktop), 1)
    case 'shift+alt+tab':
    case 'shift+alt+escape':
      return switchWindow(closePopups(desktop), -1)
    case 'alt+f4':
      return active && !active.busy ? closeWindow(desktop, active.uid) : desktop
    case 'meta+up':
      return active && !active.busy && canMaximize(active, styleMetrics(desktop.style))
        ? maximize(desktop, active.uid)
        : desktop
    case 'meta+down':
      return active ? shrink(desktop, active) : desktop
    case 'meta+d':
      return desktop.windows.reduce((next, window) => minimize(next, window.uid), desktop)
    default:
      return undefined
  }
}

function shrink(desktop: Desktop, { uid, state, busy }: Window): Desktop {
  if (state !== 'maximized') return minimize(desktop, uid)
  return busy ? desktop : restore(desktop, uid)
}

/** The innermost open popup receives keys first. Escape closes it. */
function pressInPopup(desktop: Desktop, window: Window, chord: Chord): Desktop | undefined {
  const popup = popupWithKeys(window)
  if (!popup) return undefined
  const done = widgetOf(popup.element)?.key?.(desktop, popup, chord)
  if (done) return done
  return formatChord(chord) === 'escape' ? closePopup(desktop, popup) : undefined
}

/** A combo box receives the keys that its parts do not use. */
function pressInFocus(desktop: Desktop, chord: Chord): Desktop | undefined {
  const ref = focusedRef(desktop)
  if (!ref || !isEnabled(ref)) return undefined
  const combo = comboOf(ref)
  return (
    widgetOf(ref.element)?.key?.(desktop, ref, chord) ??
    (combo && widgetOf(combo.element)?.key?.(desktop, combo, chord))
  )
}

/** Presses the element with the chord as its shortcut, also in a closed menu. */
function pressShortcut(desktop: Desktop, window: Window, chord: Chord): Desktop | undefined {
  const ref = shortcutIn(window, chord)
  if (!ref) return undefined
  const invoke = widgetAt(ref)?.invoke
  const target = targetOf(ref)
  return invoke ? recordPressOnce(desktop, invoke(desktop, ref), target) : focusElement(desktop, target)
}

function pressInWindow(desktop: Desktop, window: Window, chord: Chord): Desktop | undefined {
  switch (formatChord(chord)) {
    case 'tab':
      return moveFocus(closePopups(desktop), 1)
    case 'shift+tab':
      return moveFocus(closePopups(desktop), -1)
    case 'enter':
      return pressDefaultButton(desktop, window, 'enter')
    case 'escape':
      return pressDefaultButton(desktop, window, 'escape') ?? (window.shell ? closeOpenPart(desktop) : undefined)
    case 'ctrl+tab':
    case 'ctrl+pagedown':
      return turnTabs(desktop, window, 1)
    case 'ctrl+shift+tab':
    case 'ctrl+pageup':
      return turnTabs(desktop, window, -1)
    case 'menu':
    case 'shift+f10':
      return pressContextMenu(desktop)
    default:
      return undefined
  }
}

function turnTabs(desktop: Desktop, window: Window, direction: 1 | -1): Desktop | undefined {
  const holder = findShown(window, (element) => roleKind(element.role) === 'tabs')
  return holder && selectTabBy(desktop, holder, direction)
}

function pressContextMenu(desktop: Desktop): Desktop | undefined {
  const ref = focusedRef(desktop)
  if (!ref) return undefined
  const { window, element } = ref
  const path = element.traits?.current === undefined ? undefined : pathOf(window.tree, element.traits.current)
  const shown = path && shownBounds(window.tree, path)
  if (!path || !shown) return openContextMenu(desktop, ref, centerOf(element.bounds))
  return openContextMenu(desktop, { window, path, element: nodeAt(window.tree, path)! }, centerOf(shown))
}
