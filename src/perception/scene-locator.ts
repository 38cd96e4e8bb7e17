import { Fault } from '../base/fault.ts'
import { centerOf, contains, type Rect } from '../desktop/model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere } from '../desktop/model/role.ts'
import type { RoleWord } from '../desktop/model/role-row.ts'
import { crop, type Picture } from '../paint/picture.ts'
import { colourName, commonColour } from './colour-names.ts'
import type { LocatedTarget, Vision, VisionLocator } from './perception.ts'
import type { SceneIndex, VisibleElement } from './scene-index.ts'

/** Locates elements in known pictures, by name, role, colour and position. */

const COLOURS = [
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'grey',
  'gray',
  'black',
  'white',
] as const

/** The position that a word describes: 0 to 1 from left and from top, undefined for an axis that it does not mention. */
const PLACES: Readonly<Record<string, { readonly x?: number; readonly y?: number }>> = {
  left: { x: 0 },
  right: { x: 1 },
  top: { y: 0 },
  upper: { y: 0 },
  bottom: { y: 1 },
  lower: { y: 1 },
  centre: { x: 0.5, y: 0.5 },
  center: { x: 0.5, y: 0.5 },
  middle: { x: 0.5, y: 0.5 },
}

const FILLERS = new Set(
  'a an the of on in at to for with and or is that this named called labelled labeled side'.split(' '),
)

const NAME_WEIGHT = 3
const ROLE_WEIGHT = 1.5
const COLOUR_WEIGHT = 1
const PLACE_WEIGHT = 0.5
/** A match below this score is too weak to click on. */
const MIN_SCORE = 1

/** Uses the elements of known pictures, and `vision`, if configured, for others. */
export function sceneLocator(scenes: SceneIndex, vision?: Vision): VisionLocator {
  const refuse = () =>
    new Fault('PlatformUnsupported', 'this picture was not painted here, and no vision model is configured')
  return {
    name: vision ? `scene, else ${vision.model}` : 'scene',
    async locate(picture, description) {
      const scene = await scenes.find(picture)
      if (scene) return locateIn(picture, scene.elements, description)
      if (!vision) throw refuse()
      return askWhere(vision, picture, description)
    },
    async describe(picture, region) {
      const scene = await scenes.find(picture)
      if (scene) return describeThings(scene.elements, region)
      if (!vision) throw refuse()
      const { text } = await vision.describe(region ? crop(picture, region) : picture, DESCRIBE)
      return text
    },
  }
}

function locateIn(picture: Picture, things: readonly VisibleElement[], description: string): readonly LocatedTarget[] {
  const wanted = understand(description)
  return things
    .map((thing) => ({ thing, score: scoreOf(picture, thing, wanted) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, other) => other.score - one.score || areaOf(one.thing.bounds) - areaOf(other.thing.bounds))
    .map(({ thing, score }) => ({ description: nameOf(thing), center: centerOf(thing.bounds), score }))
}

interface Wanted {
  readonly words: readonly string[]
  /** Whether the words contain a name, not only a role. */
  readonly named: boolean
  readonly kinds: ReadonlySet<RoleKind>
  readonly colours: readonly string[]
  readonly places: readonly { readonly x?: number; readonly y?: number }[]
}

function understand(description: string): Wanted {
  const text = description.toLowerCase()
  const all = wordsOf(text)
  const colours = all.filter((word) => (COLOURS as readonly string[]).includes(word))
  const places = all.filter((word) => Object.hasOwn(PLACES, word))
  const spoken = all.filter((word) => !FILLERS.has(word) && !colours.includes(word) && !places.includes(word))
  const names = spoken.filter((word) => !asksForRole(word))
  return {
    // A name may consist of a role's word alone, such as that of a button "Text".
    words: names.length > 0 ? names : spoken,
    named: names.length > 0,
    kinds: kindsAskedFor(text),
    colours: colours.map((colour) => (colour === 'gray' ? 'grey' : colour)),
    places: places.map((place) => PLACES[place]!),
  }
}

function scoreOf(picture: Picture, thing: VisibleElement, { words, named, kinds, colours, places }: Wanted): number {
  const own = wordsOf(`${thing.name} ${thing.value ?? ''}`.toLowerCase())
  const shared = own.filter((word) => words.includes(word)).length
  const likeness = own.length + words.length === 0 ? 0 : (2 * shared) / (own.length + words.length)
  const role = kinds.size === 0 ? 0 : kinds.has(roleKind(thing.role)) ? 1 : -1
  const colour = colours.length === 0 ? 0 : colours.includes(colourName(commonColour(picture, thing.bounds))) ? 1 : -0.5
  const center = centerOf(thing.bounds)
  const place = places.reduce((sum, { x, y }) => {
    const across = x === undefined ? 0 : Math.abs(center.x / picture.width - x)
    const down = y === undefined ? 0 : Math.abs(center.y / picture.height - y)
    return sum + 1 - Math.max(across, down)
  }, 0)
  if (shared === 0 && (named || (role <= 0 && colour <= 0))) return 0
  return NAME_WEIGHT * likeness + ROLE_WEIGHT * role + COLOUR_WEIGHT * colour + PLACE_WEIGHT * place
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
const nameOf = ({ role, name }: VisibleElement): string => (name === '' ? role : `${role} ${JSON.stringify(name)}`)
const shownAs = (thing: VisibleElement): string =>
  thing.value ? `${nameOf(thing)} with ${JSON.stringify(thing.value)}` : nameOf(thing)
const areaOf = ({ width, height }: Rect): number => width * height

function describeThings(things: readonly VisibleElement[], region: Rect | undefined): string {
  const seen = things.filter(({ bounds, name }) => name !== '' && (!region || contains(region, centerOf(bounds))))
  if (seen.length === 0) return 'Nothing with a name can be seen here.'
  return `This shows ${seen.map(shownAs).join(', ')}.`
}

const DESCRIBE = 'Describe what this part of a screen shows, for somebody who is going to operate it.'

async function askWhere(vision: Vision, picture: Picture, description: string): Promise<readonly LocatedTarget[]> {
  const { width, height } = picture
  const { text } = await vision.describe(
    picture,
    `The picture is ${width} pixels wide and ${height} pixels high. Where is this: ${description}? Answer with JSON only: {"x": …, "y": …} in pixels, or {} when it is not there.`,
  )
  const [x, y] = ['x', 'y'].map((axis) => Number(new RegExp(`"${axis}"\\s*:\\s*(-?[\\d.]+)`).exec(text)?.[1]))
  const inside = x! >= 0 && y! >= 0 && x! < width && y! < height
  return inside ? [{ description, center: { x: Math.round(x!), y: Math.round(y!) }, score: 1 }] : []
}

/** The words of a description that name a role. */
const WORDS: Readonly<Record<RoleWord, RegExp>> = {
  button: /\bbuttons?\b/,
  field: /\b(?:fields?|inputs?|text ?box|edit|search bar)\b/,
  'check box': /\bcheck ?box/,
  radio: /\bradio\b/,
  link: /\blinks?\b/,
  tab: /\btabs?\b/,
  menu: /\bmenus?\b/,
  'drop-down': /\b(?:drop ?down|combo ?box|select)\b/,
  slider: /\bslider\b/,
  picture: /\b(?:icon|image|picture)\b/,
  text: /\b(?:text|label|heading)\b/,
  window: /\bwindow\b/,
}

/** The roles that a text in lower case names. */
function kindsAskedFor(text: string): ReadonlySet<RoleKind> {
  const asked = Object.entries(WORDS).filter(([, pattern]) => pattern.test(text))
  const names = new Set(asked.map(([name]) => name))
  return rolesWhere(({ words }) => words.some((word) => names.has(word)))
}

/** Whether a word in lower case names a role. */
const asksForRole = (word: string): boolean => Object.values(WORDS).some((pattern) => pattern.test(word))
