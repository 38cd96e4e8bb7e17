import type { AppKind } from '../../../desktop/model/pictures.ts'

/** The colours of the face of an application at its upper and lower edge. */
export interface AppColours {
  readonly top: string
  readonly bottom: string
}

const BLUE = { top: '#4aacfb', bottom: '#1a6fe2' }
const TEAL = { top: '#3ad6b2', bottom: '#0f8c7a' }
const RED = { top: '#ff7a7c', bottom: '#d93a52' }
const ORANGE = { top: '#ffb04e', bottom: '#e5682a' }
const PURPLE = { top: '#ec6bd2', bottom: '#a236ca' }
const GREEN = { top: '#78d77e', bottom: '#2b9a42' }
const YELLOW = { top: '#fbd968', bottom: '#cfa016' }
const GOLD = { top: '#fcd362', bottom: '#dc9c1c' }
const INDIGO = { top: '#7f9cff', bottom: '#3a5bdc' }
const GREY = { top: '#94a0b3', bottom: '#5a6678' }
const SLATE = { top: '#6887ad', bottom: '#344d70' }
const DARK = { top: '#4a5160', bottom: '#22262f' }
const LEAF = { top: '#45c27c', bottom: '#137a48' }
const VIOLET = { top: '#9d8bff', bottom: '#5b45d6' }

const OF_KIND: Readonly<Record<AppKind, AppColours>> = {
  mail: BLUE,
  files: GOLD,
  browser: TEAL,
  calendar: RED,
  photos: ORANGE,
  music: PURPLE,
  video: VIOLET,
  maps: GREEN,
  notes: YELLOW,
  document: BLUE,
  terminal: DARK,
  settings: GREY,
  sheet: LEAF,
  chart: VIOLET,
  chat: GREEN,
  store: INDIGO,
  contacts: ORANGE,
  calculator: SLATE,
  code: INDIGO,
  parcel: ORANGE,
  security: SLATE,
  help: BLUE,
}

const OTHERS = [BLUE, TEAL, RED, ORANGE, PURPLE, GREEN, INDIGO, GREY, SLATE, VIOLET] as const

/** The colours of the face of an application: those of its kind, otherwise of its name. */
export function appColoursOf(kind: AppKind | undefined, name: string): AppColours {
  if (kind) return OF_KIND[kind]
  let hash = 7
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003
  return OTHERS[hash % OTHERS.length]!
}
