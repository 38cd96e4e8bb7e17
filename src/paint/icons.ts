import { ICON_NAMES, type IconName } from '../desktop/model/pictures.ts'

/**
 * Icons of the themes as paths on a grid of 16 × 16. `stroke` is the line width in grid units; without it the path is
 * filled.
 */
interface Icon {
  readonly path: string
  readonly stroke?: number
}

const ICONS = {
  check: { path: 'M3.5 8.4 L6.6 11.4 L12.6 4.8', stroke: 2 },
  dash: { path: 'M4 8 L12 8', stroke: 2 },
  dot: { path: 'M8 5 A3 3 0 1 0 8 11 A3 3 0 1 0 8 5 Z' },
  'chevron-down': { path: 'M4 6.2 L8 10.2 L12 6.2', stroke: 1.5 },
  'chevron-up': { path: 'M4 9.8 L8 5.8 L12 9.8', stroke: 1.5 },
  'chevron-right': { path: 'M6.2 4 L10.2 8 L6.2 12', stroke: 1.5 },
  'chevron-left': { path: 'M9.8 4 L5.8 8 L9.8 12', stroke: 1.5 },
  close: { path: 'M4 4 L12 12 M12 4 L4 12', stroke: 1.5 },
  plus: { path: 'M8 3 L8 13 M3 8 L13 8', stroke: 1.5 },
  minus: { path: 'M3 8 L13 8', stroke: 1.5 },
  search: { path: 'M11 7 A4 4 0 1 1 3 7 A4 4 0 1 1 11 7 M10 10 L13.5 13.5', stroke: 1.5 },
  calendar: { path: 'M3 4.5 L13 4.5 L13 13 L3 13 Z M3 7.5 L13 7.5 M5.5 2.5 L5.5 5 M10.5 2.5 L10.5 5', stroke: 1.3 },
  image: {
    path: 'M2.5 3.5 L13.5 3.5 L13.5 12.5 L2.5 12.5 Z M2.5 11 L6 7.5 L9 10.5 L11 8.5 L13.5 11 M10.6 6.2 L10.7 6.2',
    stroke: 1.2,
  },
  info: {
    path: 'M8 1.5 A6.5 6.5 0 1 0 8 14.5 A6.5 6.5 0 1 0 8 1.5 Z M7.2 7 L8.8 7 L8.8 12 L7.2 12 Z M7.1 4 L8.9 4 L8.9 5.7 L7.1 5.7 Z',
  },
  folder: {
    path: 'M1.5 4 A1 1 0 0 1 2.5 3 L6 3 L7.6 4.6 L13.5 4.6 A1 1 0 0 1 14.5 5.6 L14.5 12 A1 1 0 0 1 13.5 13 L2.5 13 A1 1 0 0 1 1.5 12 Z',
  },
  file: { path: 'M4 2 L9.5 2 L12.5 5 L12.5 14 L4 14 Z M9.3 2.2 L9.3 5.2 L12.3 5.2', stroke: 1.2 },
  mail: {
    path: 'M1.5 4.6 L1.5 12 A1 1 0 0 0 2.5 13 L13.5 13 A1 1 0 0 0 14.5 12 L14.5 4.6 L8 9 Z M2 3.3 L8 7.4 L14 3.3 A1 1 0 0 0 13.5 3 L2.5 3 A1 1 0 0 0 2 3.3 Z',
  },
  home: { path: 'M2.5 7.8 L8 3 L13.5 7.8 M4 6.8 L4 13 L12 13 L12 6.8 M6.8 13 L6.8 9.5 L9.2 9.5 L9.2 13', stroke: 1.3 },
  trash: { path: 'M2.8 4.2 L13.2 4.2 M6 4 L6 2.5 L10 2.5 L10 4 M4.2 4.4 L4.8 13.5 L11.2 13.5 L11.8 4.4', stroke: 1.3 },
  pencil: { path: 'M3 13 L3.6 10.2 L10.8 3 L13 5.2 L5.8 12.4 Z', stroke: 1.3 },
  save: {
    path: 'M3 3 L11 3 L13 5 L13 13 L3 13 Z M5.2 3.2 L5.2 6.2 L10 6.2 L10 3.2 M5 13 L5 9 L11 9 L11 13',
    stroke: 1.2,
  },
  user: { path: 'M8 2.2 A2.9 2.9 0 1 0 8 8 A2.9 2.9 0 1 0 8 2.2 Z M2.5 14 A5.5 4.8 0 0 1 13.5 14 Z' },
  lock: { path: 'M4 7.2 L12 7.2 L12 13.5 L4 13.5 Z M5.5 7 L5.5 5 A2.5 2.5 0 0 1 10.5 5 L10.5 7', stroke: 1.3 },
  star: { path: 'M8 1.8 L9.9 5.8 L14.2 6.4 L11.1 9.4 L11.9 13.7 L8 11.6 L4.1 13.7 L4.9 9.4 L1.8 6.4 L6.1 5.8 Z' },
  menu: { path: 'M2.5 4 L13.5 4 M2.5 8 L13.5 8 M2.5 12 L13.5 12', stroke: 1.5 },
  refresh: { path: 'M12.8 6.5 A5 5 0 1 0 13 9 M13 3 L13 6.6 L9.4 6.6', stroke: 1.4 },
  download: { path: 'M8 2.5 L8 10 M4.8 7 L8 10.2 L11.2 7 M3 13 L13 13', stroke: 1.4 },
  upload: { path: 'M8 10.5 L8 3 M4.8 6 L8 2.8 L11.2 6 M3 13 L13 13', stroke: 1.4 },
  play: { path: 'M5 3 L13 8 L5 13 Z' },
  pause: { path: 'M4.5 3 L7 3 L7 13 L4.5 13 Z M9 3 L11.5 3 L11.5 13 L9 13 Z' },
  cart: {
    path: 'M1.5 2.5 L3.5 2.5 L5.2 10.5 L12.4 10.5 L14 5 L4.2 5 M6.2 13.2 L6.3 13.2 M11.4 13.2 L11.5 13.2',
    stroke: 1.4,
  },
  bell: {
    path: 'M8 2 A4 4 0 0 0 4 6 L4 9 L2.6 11.2 L13.4 11.2 L12 9 L12 6 A4 4 0 0 0 8 2 Z M6.4 12.4 A1.7 1.7 0 0 0 9.6 12.4 Z',
  },
  chat: { path: 'M2.5 3 L13.5 3 L13.5 11 L7 11 L4 13.8 L4 11 L2.5 11 Z', stroke: 1.3 },
  settings: { path: 'M2.5 4.5 L13.5 4.5 M2.5 11.5 L13.5 11.5 M5.5 2.9 L5.5 6.1 M10.5 9.9 L10.5 13.1', stroke: 1.5 },
  warning: { path: 'M8 2 L15 14 L1 14 Z M7.2 6.2 L7.2 10 L8.8 10 L8.8 6.2 Z M7.2 11 L7.2 12.6 L8.8 12.6 L8.8 11 Z' },
  window: { path: 'M2 3 L14 3 L14 13 L2 13 Z M2 6 L14 6', stroke: 1.3 },
  reply: { path: 'M6.2 3.6 L2.4 7.4 L6.2 11.2 M2.6 7.4 L9 7.4 A4.4 4.4 0 0 1 13.4 11.8 L13.4 12.6', stroke: 1.4 },
  'reply-all': {
    path: 'M8.4 3.6 L4.8 7.4 L8.4 11.2 M5 3.6 L1.4 7.4 L5 11.2 M5 7.4 L10 7.4 A4.2 4.2 0 0 1 14.2 11.6 L14.2 12.6',
    stroke: 1.3,
  },
  forward: { path: 'M9.8 3.6 L13.6 7.4 L9.8 11.2 M13.4 7.4 L7 7.4 A4.4 4.4 0 0 0 2.6 11.8 L2.6 12.6', stroke: 1.4 },
  archive: {
    path: 'M1.8 2.8 L14.2 2.8 L14.2 5.8 L1.8 5.8 Z M2.8 5.8 L2.8 13.2 L13.2 13.2 L13.2 5.8 M6.2 8.4 L9.8 8.4',
    stroke: 1.3,
  },
  flag: { path: 'M3.6 14 L3.6 2.6 M3.6 3 L12.8 3 L10.6 6.1 L12.8 9.2 L3.6 9.2', stroke: 1.3 },
  inbox: {
    path: 'M2 9 L4 3 L12 3 L14 9 L14 13 L2 13 Z M2 9 L5.4 9 A2.6 2.2 0 0 0 10.6 9 L14 9',
    stroke: 1.3,
  },
  send: { path: 'M2.2 2.8 L14 8 L2.2 13.2 L4 8 Z M4.2 8 L9 8', stroke: 1.3 },
  attach: {
    path: 'M12.8 7.4 L7.6 12.6 A2.9 2.9 0 0 1 3.5 8.5 L9.3 2.7 A1.95 1.95 0 0 1 12.05 5.45 L6.6 10.9 A0.95 0.95 0 0 1 5.25 9.55 L10 4.8',
    stroke: 1.2,
  },
  more: {
    path: 'M3.4 6.8 A1.2 1.2 0 1 0 3.4 9.2 A1.2 1.2 0 1 0 3.4 6.8 Z M8 6.8 A1.2 1.2 0 1 0 8 9.2 A1.2 1.2 0 1 0 8 6.8 Z M12.6 6.8 A1.2 1.2 0 1 0 12.6 9.2 A1.2 1.2 0 1 0 12.6 6.8 Z',
  },
  link: {
    path: 'M6.6 9.4 L9.4 6.6 M7.4 4.8 L9 3.2 A2.7 2.7 0 0 1 12.8 7 L11.2 8.6 M8.6 11.2 L7 12.8 A2.7 2.7 0 0 1 3.2 9 L4.8 7.4',
    stroke: 1.3,
  },
  tag: { path: 'M2.4 2.4 L8 2.4 L13.8 8.2 L8.2 13.8 L2.4 8 Z M5.2 5.2 L5.3 5.2', stroke: 1.3 },
  filter: { path: 'M2.5 4 L13.5 4 M4.6 8 L11.4 8 M6.6 12 L9.4 12', stroke: 1.5 },
  copy: {
    path: 'M5.5 5.5 L13.5 5.5 L13.5 13.5 L5.5 13.5 Z M10.5 5.3 L10.5 2.5 L2.5 2.5 L2.5 10.5 L5.3 10.5',
    stroke: 1.3,
  },
  print: {
    path: 'M4.5 5.5 L4.5 2.5 L11.5 2.5 L11.5 5.5 M4.5 11.5 L2.5 11.5 L2.5 5.5 L13.5 5.5 L13.5 11.5 L11.5 11.5 M4.5 9 L11.5 9 L11.5 13.5 L4.5 13.5 Z',
    stroke: 1.3,
  },
  help: {
    path: 'M8 1.8 A6.2 6.2 0 1 1 8 14.2 A6.2 6.2 0 1 1 8 1.8 M6 6.3 A2 2 0 1 1 8.7 8.2 Q8 8.5 8 9.4 M8 11.4 L8.05 11.4',
    stroke: 1.3,
  },
  clock: { path: 'M8 1.8 A6.2 6.2 0 1 1 8 14.2 A6.2 6.2 0 1 1 8 1.8 M8 4.6 L8 8.2 L10.6 9.6', stroke: 1.3 },
  // Curves and not arcs: the radius of an arc that is less than half its chord is corrected, not equally on all platforms.
  heart: {
    path: 'M8 13.4 L2.8 8.2 C1.806 6.764 2.164 4.794 3.6 3.8 C5.036 2.806 7.006 3.164 8 4.6 C8.994 3.164 10.964 2.806 12.4 3.8 C13.836 4.794 14.194 6.764 13.2 8.2 Z',
    stroke: 1.3,
  },
  phone: {
    path: 'M3.2 2.6 L5.6 2.2 L7 5.4 L5.4 6.7 A8 8 0 0 0 9.3 10.6 L10.6 9 L13.8 10.4 L13.4 12.8 A1.2 1.2 0 0 1 12.2 13.8 A10.2 10.2 0 0 1 2.2 3.8 A1.2 1.2 0 0 1 3.2 2.6 Z',
    stroke: 1.3,
  },
  camera: {
    path: 'M1.8 4.6 L4.6 4.6 L5.8 3 L10.2 3 L11.4 4.6 L14.2 4.6 L14.2 12.8 L1.8 12.8 Z M8 6 A2.5 2.5 0 1 1 8 11 A2.5 2.5 0 1 1 8 6',
    stroke: 1.3,
  },
  microphone: {
    path: 'M8 1.8 A2.1 2.1 0 0 1 10.1 3.9 L10.1 7.4 A2.1 2.1 0 0 1 5.9 7.4 L5.9 3.9 A2.1 2.1 0 0 1 8 1.8 M3.4 7.4 A4.6 4.6 0 0 0 12.6 7.4 M8 12 L8 14.2',
    stroke: 1.3,
  },
  undo: { path: 'M5.4 2.8 L2.4 5.8 L5.4 8.8 M2.6 5.8 L9.4 5.8 A3.8 3.8 0 0 1 9.4 13.4 L5.6 13.4', stroke: 1.4 },
  redo: { path: 'M10.6 2.8 L13.6 5.8 L10.6 8.8 M13.4 5.8 L6.6 5.8 A3.8 3.8 0 0 0 6.6 13.4 L10.4 13.4', stroke: 1.4 },
  share: { path: 'M8 9.6 L8 2.2 M5 5 L8 2 L11 5 M5.4 7 L3.2 7 L3.2 13.8 L12.8 13.8 L12.8 7 L10.6 7', stroke: 1.3 },
  code: { path: 'M5.2 4 L1.6 8 L5.2 12 M10.8 4 L14.4 8 L10.8 12 M9.2 3 L6.8 13', stroke: 1.3 },
  terminal: {
    path: 'M1.8 2.8 L14.2 2.8 L14.2 13.2 L1.8 13.2 Z M4.2 6 L6.6 8.2 L4.2 10.4 M8 10.4 L11.4 10.4',
    stroke: 1.3,
  },
  table: { path: 'M2 2.8 L14 2.8 L14 13.2 L2 13.2 Z M2 6.2 L14 6.2 M2 9.7 L14 9.7 M6.4 2.8 L6.4 13.2', stroke: 1.2 },
  chart: { path: 'M2.4 2 L2.4 13.6 L14 13.6 M5.4 13 L5.4 8.6 M8.4 13 L8.4 4.6 M11.4 13 L11.4 6.8', stroke: 1.5 },
  globe: {
    path: 'M8 1.8 A6.2 6.2 0 1 1 8 14.2 A6.2 6.2 0 1 1 8 1.8 M1.9 8 L14.1 8 M8 1.8 A3 6.2 0 1 0 8 14.2 A3 6.2 0 1 0 8 1.8',
    stroke: 1.1,
  },
  power: { path: 'M8 1.8 L8 7.6 M4.6 4 A5.4 5.4 0 1 0 11.4 4', stroke: 1.5 },
} as const satisfies Record<IconName, Icon>

/** Thin signs of controls and title bars. */
const THIN_ICONS = {
  'thin-check': { path: 'M3.5 8.2 L6.8 11.4 L12.5 5.2', stroke: 1.3 },
  'thin-dash': { path: 'M4.5 8 L11.5 8', stroke: 1.3 },
  'thin-cross': { path: 'M3.5 3.5 L12.5 12.5 M12.5 3.5 L3.5 12.5', stroke: 1 },
  restore: {
    path: 'M3.5 5.5 L10.5 5.5 L10.5 12.5 L3.5 12.5 Z M5.5 5.5 L5.5 3.5 L12.5 3.5 L12.5 10.5 L10.5 10.5',
    stroke: 1,
  },
} as const satisfies Record<string, Icon>

export type { IconName }

/** The outlines of filled icons, for styles whose icons are lines. */
const LINE_ICONS = {
  'folder-line': {
    path: 'M2 4 A1 1 0 0 1 3 3 L6.2 3 L7.8 4.8 L13 4.8 A1 1 0 0 1 14 5.8 L14 12 A1 1 0 0 1 13 13 L3 13 A1 1 0 0 1 2 12 Z',
    stroke: 1.3,
  },
  'mail-line': {
    path: 'M2 4.2 A1 1 0 0 1 3 3.2 L13 3.2 A1 1 0 0 1 14 4.2 L14 11.8 A1 1 0 0 1 13 12.8 L3 12.8 A1 1 0 0 1 2 11.8 Z M2.2 4.6 L8 8.8 L13.8 4.6',
    stroke: 1.3,
  },
  'user-line': {
    path: 'M8 2.4 A2.7 2.7 0 1 0 8 7.8 A2.7 2.7 0 1 0 8 2.4 Z M2.8 13.6 A5.2 4 0 0 1 13.2 13.6 Z',
    stroke: 1.3,
  },
  'warning-line': { path: 'M8 2.4 L14.2 13.4 L1.8 13.4 Z M8 6.4 L8 9.6 M8 11.5 L8.05 11.5', stroke: 1.3 },
  'star-line': {
    path: 'M8 2.2 L9.8 5.9 L13.9 6.4 L10.9 9.3 L11.7 13.3 L8 11.3 L4.3 13.3 L5.1 9.3 L2.1 6.4 L6.2 5.9 Z',
    stroke: 1.2,
  },
} as const satisfies Record<string, Icon>

/** Icons that only the shell has. */
const SHELL_ICONS = {
  network: {
    path: 'M1.8 6.4 A8.8 8.8 0 0 1 14.2 6.4 M4.2 8.9 A5.4 5.4 0 0 1 11.8 8.9 M6.6 11.3 A2 2 0 0 1 9.4 11.3 M8 13 L8.1 13',
    stroke: 1.4,
  },
  sound: {
    path: 'M2 6.2 L4.4 6.2 L7.8 3.2 L7.8 12.8 L4.4 9.8 L2 9.8 Z M10 6 A2.9 2.9 0 0 1 10 10 M11.8 4 A5.6 5.6 0 0 1 11.8 12',
    stroke: 1.3,
  },
  battery: {
    path: 'M1.5 5.2 L12.6 5.2 L12.6 10.8 L1.5 10.8 Z M14.4 7 L14.4 9 M3.6 7.2 L9.4 7.2 L9.4 8.8 L3.6 8.8 Z',
    stroke: 1.3,
  },
  'network-off': {
    path: 'M1.8 6.4 A8.8 8.8 0 0 1 14.2 6.4 M6.6 11.3 A2 2 0 0 1 9.4 11.3 M8 13 L8.1 13 M2.5 13.5 L13.5 2.5',
    stroke: 1.4,
  },
  'sound-off': {
    path: 'M2 6.2 L4.4 6.2 L7.8 3.2 L7.8 12.8 L4.4 9.8 L2 9.8 Z M10.4 6.2 L14 9.8 M14 6.2 L10.4 9.8',
    stroke: 1.3,
  },
  'bell-line': {
    path: 'M8 2.2 A4 4 0 0 0 4 6.2 L4 8.8 L2.8 11.4 L13.2 11.4 L12 8.8 L12 6.2 A4 4 0 0 0 8 2.2 Z M6.4 11.6 A1.7 1.7 0 0 0 9.6 11.6',
    stroke: 1.1,
  },
  'control-centre': {
    path: 'M4.6 3.5 L11.4 3.5 A4.5 4.5 0 0 1 11.4 12.5 L4.6 12.5 A4.5 4.5 0 0 1 4.6 3.5 Z M11.2 6 A2 2 0 1 1 11.2 10 A2 2 0 1 1 11.2 6 Z',
    stroke: 1.4,
  },
  bluetooth: { path: 'M4.6 5 L11.4 11 L8 14 L8 2 L11.4 5 L4.6 11', stroke: 1.2 },
  night: { path: 'M13 9.6 A5.6 5.6 0 1 1 6.8 2.6 A4.6 4.6 0 0 0 13 9.6 Z', stroke: 1.3 },
  brightness: {
    path: 'M8 5.4 A2.6 2.6 0 1 1 8 10.6 A2.6 2.6 0 1 1 8 5.4 Z M8 1.6 L8 2.8 M8 13.2 L8 14.4 M1.6 8 L2.8 8 M13.2 8 L14.4 8 M3.5 3.5 L4.3 4.3 M11.7 11.7 L12.5 12.5 M3.5 12.5 L4.3 11.7 M11.7 4.3 L12.5 3.5',
    stroke: 1.3,
  },
  cloud: { path: 'M4.6 12.6 A3 3 0 0 1 4.4 6.6 A4 4 0 0 1 11.9 6.2 A3.3 3.3 0 0 1 11.6 12.6 Z', stroke: 1.2 },
  microphone: {
    path: 'M8 2 A2 2 0 0 1 10 4 L10 8 A2 2 0 0 1 6 8 L6 4 A2 2 0 0 1 8 2 Z M3.8 8 A4.2 4.2 0 0 0 12.2 8 M8 12.2 L8 14.2',
    stroke: 1.2,
  },
  gear: {
    path: 'M6.7 1.7 L9.3 1.7 L9.4 3.5 L10.2 3.9 L11.5 2.7 L13.3 4.5 L12.1 5.8 L12.5 6.6 L14.3 6.7 L14.3 9.3 L12.5 9.4 L12.1 10.2 L13.3 11.5 L11.5 13.3 L10.2 12.1 L9.4 12.5 L9.3 14.3 L6.7 14.3 L6.6 12.5 L5.8 12.1 L4.5 13.3 L2.7 11.5 L3.9 10.2 L3.5 9.4 L1.7 9.3 L1.7 6.7 L3.5 6.6 L3.9 5.8 L2.7 4.5 L4.5 2.7 L5.8 3.9 L6.6 3.5 Z M8 6 A2 2 0 1 0 8 10 A2 2 0 1 0 8 6 Z',
    stroke: 1.1,
  },
  power: { path: 'M8 2 L8 7.6 M4.9 3.9 A5.4 5.4 0 1 0 11.1 3.9', stroke: 1.3 },
  more: { path: 'M3.4 8 L3.5 8 M8 8 L8.1 8 M12.6 8 L12.7 8', stroke: 1.6 },
  launcher: {
    path: 'M2 2 L5 2 L5 5 L2 5 Z M6.5 2 L9.5 2 L9.5 5 L6.5 5 Z M11 2 L14 2 L14 5 L11 5 Z M2 6.5 L5 6.5 L5 9.5 L2 9.5 Z M6.5 6.5 L9.5 6.5 L9.5 9.5 L6.5 9.5 Z M11 6.5 L14 6.5 L14 9.5 L11 9.5 Z M2 11 L5 11 L5 14 L2 14 Z M6.5 11 L9.5 11 L9.5 14 L6.5 14 Z M11 11 L14 11 L14 14 L11 14 Z',
  },
} as const satisfies Record<string, Icon>

/** An icon of the themes or of the shell, or a thin sign. */
export type DrawnIcon = IconName | keyof typeof SHELL_ICONS | keyof typeof THIN_ICONS | keyof typeof LINE_ICONS

const ALL_ICONS: Readonly<Record<DrawnIcon, Icon>> = { ...ICONS, ...SHELL_ICONS, ...THIN_ICONS, ...LINE_ICONS }

export const iconOf = (name: DrawnIcon): Icon => ALL_ICONS[name]

/** The icon with a name, if the themes have it. */
export const knownIcon = (name: string | undefined): IconName | undefined => ICON_NAMES.find((each) => each === name)

const OUTLINES: Readonly<Partial<Record<IconName, DrawnIcon>>> = {
  folder: 'folder-line',
  mail: 'mail-line',
  user: 'user-line',
  warning: 'warning-line',
  star: 'star-line',
}

/** The icon that a style draws for a name, if the themes have it. */
export function iconFor(name: string | undefined, theme: { readonly hasLineIcons: boolean }): DrawnIcon | undefined {
  const known = knownIcon(name)
  return (known && theme.hasLineIcons && OUTLINES[known]) || known
}
