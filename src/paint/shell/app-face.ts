import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import { box, type Mark } from '../frame/mark.ts'
import { knownIcon } from '../icons.ts'
import { iconIn } from '../widgets/widget.ts'
import { faceColoursOf } from './shell-colours.ts'

/** The radius of the face of an application, as a share of its size. */
const ROUND: Readonly<Record<ShellStyle, number>> = { windows: 0.18, macos: 0.235, gnome: 0.16 }

/** The picture of an application in a square: a coloured face with the icon of its button. */
export function appFace(area: Rect, { name, traits }: Element, style: ShellStyle): readonly Mark[] {
  const icon = knownIcon(traits?.icon) ?? 'window'
  const { top, bottom } = faceColoursOf(name, icon)
  const radius = Math.max(2, Math.round(area.width * ROUND[style]))
  const step = style === 'gnome' ? Math.max(1, Math.round(area.height / 14)) : 0
  const face = { ...area, height: area.height - step }
  const size = Math.max(8, 2 * Math.round(area.width * 0.3))
  return [
    ...(step > 0 ? [box(area, { fill: bottom, radius })] : []),
    box(face, { fill: step > 0 ? top : mixed(top, bottom), radius }),
    iconIn(face, icon, Math.min(size, area.width), '#ffffff'),
  ]
}

/** The colour in the middle of two `#rrggbb`. */
function mixed(one: string, other: string): string {
  const part = (at: number): string => {
    const sum = Number.parseInt(one.slice(at, at + 2), 16) + Number.parseInt(other.slice(at, at + 2), 16)
    return (sum >> 1).toString(16).padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}
