import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { type Rect, unite } from '../../desktop/model/geometry.ts'
import { SEARCH_ID } from '../../desktop/shell/launcher.ts'
import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import { box, type Mark, shadow, solid } from '../frame/mark.ts'
import type { Font } from '../text/fonts.ts'
import { label } from '../text/text.ts'
import { inset } from '../widgets/widget.ts'
import { appFace } from './app-face.ts'
import { type ShellLook, taskMarks } from './bar-marks.ts'

/** The radius of the corners of the launcher. */
export const LAUNCHER_RADIUS: Readonly<Record<ShellStyle, number>> = { windows: 8, macos: 14, gnome: 0 }

const font = (size: number, weight: number): Font => ({ family: 'ui', size, weight })

/** The marks of the launcher without those of its field. */
export function launcherMarks({ bounds, tree }: Window, look: ShellLook): readonly Mark[] {
  const { colours, style } = look
  const dash = tree.children.filter(({ id }) => id.startsWith('shell.dash.'))
  const face =
    style === 'gnome'
      ? [solid(bounds, colours.launcher)]
      : [
          shadow(bounds, { reach: 20, drop: 8, opacity: 0.3 }),
          box(bounds, {
            fill: colours.launcher,
            radius: LAUNCHER_RADIUS[style],
            ...(colours.launcherEdge && { border: colours.launcherEdge }),
          }),
        ]
  return [...face, ...dashFace(dash, look), ...tree.children.flatMap((child) => partMarks(child, look))]
}

function dashFace(tasks: readonly Element[], { colours }: ShellLook): readonly Mark[] {
  const [first, ...others] = tasks
  if (!first) return []
  const { x, y, width, height } = others.reduce((all, { bounds }) => unite(all, bounds), first.bounds)
  const area = { x: x - 14, y, width: width + 28, height }
  return [box(area, { fill: colours.dock, border: colours.dockEdge, radius: 28 })]
}

function partMarks(element: Element, look: ShellLook): readonly Mark[] {
  const { id, name, bounds, role } = element
  const { colours } = look
  if (id === SEARCH_ID) return []
  if (id.startsWith('shell.dash.')) return [...focusMarks(element, look), ...taskMarks(element, look, false)]
  if (role === 'Text')
    return label(bounds, name, {
      font: id === 'shell.heading' && look.style === 'windows' ? font(14, 600) : font(12, 500),
      colour: id === 'shell.heading' && look.style === 'windows' ? colours.launcherText : colours.launcherMuted,
    })
  return [...focusMarks(element, look), ...appMarks(element, look)]
}

const focusMarks = ({ focused, bounds }: Element, { colours }: ShellLook): readonly Mark[] =>
  focused ? [box(bounds, { fill: colours.active, border: colours.ring, thickness: 2, radius: 6 })] : []

/** The size of the picture of an application, and the distance from the top of its cell. */
const CELLS: Readonly<Record<ShellStyle, { readonly size: number; readonly top: number; readonly font: Font }>> = {
  windows: { size: 34, top: 10, font: font(12, 400) },
  gnome: { size: 76, top: 14, font: font(14, 700) },
  macos: { size: 26, top: 6, font: font(13, 400) },
}

function appMarks(element: Element, { style, colours }: ShellLook): readonly Mark[] {
  const { bounds, name, traits } = element
  const { size, top, font } = CELLS[style]
  const { launcherText: colour } = colours
  if (style === 'macos') {
    const isFirst = traits?.presses === 'enter'
    const face = { x: bounds.x + 10, y: bounds.y + top, width: size, height: size }
    const words = { ...bounds, x: bounds.x + 48, width: bounds.width - 100 }
    const ink = isFirst ? '#ffffff' : colour
    return [
      ...(isFirst ? [box(bounds, { fill: colours.accent, radius: 6 })] : []),
      ...appFace(face, element, style),
      ...label(words, name, { font, colour: ink }),
      ...label(inset(bounds, 12, 0), 'App', { font, colour: isFirst ? ink : colours.launcherMuted, align: 'right' }),
    ]
  }
  const face: Rect = {
    x: bounds.x + Math.floor((bounds.width - size) / 2),
    y: bounds.y + top,
    width: size,
    height: size,
  }
  const below = face.y + size
  const words = { ...inset(bounds, 4, 0), y: below + 4, height: Math.max(0, bounds.y + bounds.height - below - 8) }
  return [...appFace(face, element, style), ...label(words, name, { font, colour, align: 'center' })]
}
