import type { BackdropStyle, Ribbon } from '../../frame/backdrop/backdrop-style.ts'
import type { ThemeName } from '../tokens.ts'

/** Bands of silk that rise to the right, the front one last. Their colours are per shade, from the upper edge down. */
const BANDS: readonly Pick<Ribbon, 'upper' | 'lower' | 'strength'>[] = [
  { upper: [0.92, 1.02, 0.2, 0.3], lower: [1.2, 1.3, 0.62, 0.72], strength: [0.1, 0.6, 1, 1] },
  { upper: [1.0, 0.86, 0.5, 0.08], lower: [1.35, 1.2, 0.86, 0.5], strength: [0.5, 1, 1, 0.85] },
  { upper: [0.84, 1.12, 0.66, 0.42], lower: [1.1, 1.5, 1.02, 0.74], strength: [1, 1, 0.95, 1] },
  { upper: [0.98, 1.14, 0.94, 0.6], lower: [1.3, 1.5, 1.3, 1.0] },
]

const silk = (colours: readonly (readonly string[])[]): readonly Ribbon[] =>
  BANDS.map((band, index) => ({ kind: 'ribbon', ...band, colours: colours[index]! }))

/** The wallpapers of the Windows style. */
export const WINDOWS_WALLPAPERS: Readonly<Record<ThemeName, BackdropStyle>> = {
  light: {
    top: '#cfe2f6',
    bottom: '#b3d0f1',
    glow: { x: 0.3, y: 0.2, radius: 0.6, colour: '#ffffffb0' },
    shapes: silk([
      ['#ffffffd0', '#7db4f0b0', '#3f86de90', '#2a6fd000'],
      ['#d8ebffff', '#4f9bf0f0', '#1b63cfe8', '#0f4db8c0'],
      ['#bfe0ffff', '#3d8ef0ff', '#0f58c8ff', '#0a3f9cf0'],
      ['#9fd0ffff', '#1f78e6ff', '#0a4bb4ff', '#083a8cff'],
    ]),
  },
  dark: {
    top: '#061129',
    bottom: '#0a1c40',
    glow: { x: 0.48, y: 0.42, radius: 0.52, colour: '#2a61b8a8' },
    shapes: silk([
      ['#6aa8ff70', '#1f5fd060', '#123f9a50', '#0a255c00'],
      ['#8fc2ffc0', '#1f62e0d0', '#1240a8d8', '#08215cc0'],
      ['#7ab6ffe0', '#175ae0f0', '#0c37a0f8', '#061a4cf0'],
      ['#5fa2ffe8', '#1250d2ff', '#0a2f8cff', '#051540ff'],
    ]),
  },
  'high-contrast': { top: '#000000', bottom: '#000000', shapes: [] },
}
