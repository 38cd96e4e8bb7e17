import type { EnvironmentVariables } from '../../../base/environment-variables.ts'
import { type DoctorCheck, good, note } from '../../doctor-check.ts'

const SCALES = ['GDK_SCALE', 'GDK_DPI_SCALE', 'QT_SCALE_FACTOR', 'QT_SCREEN_SCALE_FACTORS', 'QT_FONT_DPI']
const DEFAULT_DPI = 96

/**
 * Reports scaling. Bounds are screen pixels on scaled desktops too, although programs measure in their own units.
 * @param resources The X resources of the root window, where desktops leave the resolution of text.
 */
export function checkScale(env: EnvironmentVariables, resources: string): DoctorCheck {
  const dpi = Number(/^Xft\.dpi:\s*(\d+)/m.exec(resources)?.[1] ?? DEFAULT_DPI)
  const set = [
    ...(dpi === DEFAULT_DPI ? [] : [`Xft.dpi is ${dpi}`]),
    ...SCALES.filter((name) => env[name] && env[name] !== '1').map((name) => `${name}=${env[name]}`),
  ]
  if (set.length === 0) return good('scale', 'programs draw in screen pixels')
  return note('scale', set.join(', '), 'bounds are in screen pixels; monitors are listed with scale factor 1')
}
