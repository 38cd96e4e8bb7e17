import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Reads a written dataset as a stranger does: the files alone, and the sentences as docs/datasets.md describes them. It imports
// nothing of the product, so that a mistake of the generator is not repeated here.

interface Annotation {
  readonly id: number
  readonly image_id: number
  readonly category_id: number
  readonly bbox: readonly [number, number, number, number]
  readonly segmentation: { readonly size: readonly [number, number]; readonly counts: readonly number[] }
  readonly role: string
  readonly name: string
  readonly element_id: string
  readonly window_uid: string
  readonly parent_id: number | null
  readonly z: number
  readonly clickable: boolean
}

interface Text {
  readonly image_id: number
  readonly text: string
  readonly bbox: readonly [number, number, number, number]
}

export interface CheckedImage {
  readonly id: number
  readonly width: number
  readonly height: number
  readonly scenario: string
  readonly seed: number
  readonly variant: Readonly<Record<string, string>>
  readonly step: number
}

interface Instruction {
  readonly image_id: number
  readonly instruction: string
  readonly point: readonly [number, number]
  readonly annotation_id: number
  readonly name_painted: boolean
}

/** A node of an observed tree. */
export interface TreeNode {
  readonly id: string
  readonly role: string
  readonly expanded?: boolean | null
  readonly hidden?: boolean
  readonly children?: readonly TreeNode[]
}

/** What a client observes at the moment of a picture. */
export interface Observation {
  readonly windows: readonly { readonly uid: string; readonly title: string }[]
  treeOf(window: string): Promise<TreeNode>
}

/** Plays a scenario to the moment of a picture. */
export type Observe = (image: CheckedImage) => Promise<Observation>

/** What is wrong with an instruction. */
export interface WrongInstruction {
  readonly image: number
  readonly instruction: string
  readonly problem: string
}

/** The categories that a noun means. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  button: ['Button'],
  'menu button': ['SplitButton'],
  switch: ['ToggleButton'],
  'text field': ['Edit'],
  'text area': ['Document'],
  'check box': ['CheckBox'],
  option: ['RadioButton'],
  'drop-down list': ['ComboBox'],
  item: ['ListItem'],
  slider: ['Slider'],
  'number field': ['Spinner'],
  'menu item': ['MenuItem', 'CheckBox', 'RadioButton'],
  tab: ['TabItem'],
  'tree item': ['TreeItem'],
  row: ['Row'],
  'column header': ['HeaderItem'],
  'row header': ['HeaderItem'],
  cell: ['Cell'],
  link: ['Link'],
  'date field': ['DatePicker'],
  day: ['Day'],
  'section header': ['Expander'],
}

const HOLDERS: Readonly<Record<string, string>> = {
  group: 'Group',
  list: 'List',
  tree: 'Tree',
  table: 'Table',
  toolbar: 'ToolBar',
  menu: 'Menu',
  tabs: 'TabControl',
  dialog: 'Dialog',
  row: 'Row',
  item: 'ListItem',
  'drop-down list': 'ComboBox',
  calendar: 'Calendar',
}

const PLACES: Readonly<Record<string, string>> = {
  'in the dock': 'shell:dock',
  'in the taskbar': 'shell:taskbar',
  'in the menu bar': 'shell:menu-bar',
  'in the top bar': 'shell:top-bar',
  'on the desktop': 'shell:desktop',
}

const COUNT = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

const WRITING = ['Edit', 'Document', 'Spinner', 'DatePicker', 'ComboBox']
const PRESSING = [
  'Button SplitButton ToggleButton MenuItem Menu TabItem ListItem TreeItem Link Expander CheckBox RadioButton HeaderItem Day',
].flatMap((words) => words.split(' '))

/** Categories of which one is not “the only” one beside another. */
const MISTAKEN = [
  WRITING,
  ['CheckBox', 'RadioButton', 'ToggleButton'],
  ['ListItem', 'TreeItem', 'MenuItem', 'Row', 'Cell'],
]

const VERBS = 'Put the cursor into|Click into|Click|Press|Focus|Toggle|Choose|Open|Select|Switch to|Follow'
const NOUN = Object.keys(NOUNS)
  .sort((a, b) => b.length - a.length)
  .join('|')
const HOLDER = `the (?:only (?<onlyHolder>${Object.keys(HOLDERS).join('|')})|(?<holder>${Object.keys(HOLDERS).join('|')}) “(?<holderName>[^”]*)”)`

const FORMS = {
  named: new RegExp(
    `^(?:${VERBS}) the (?:(?<noun>${NOUN}) “(?<name>[^”]*)”|“(?<name2>[^”]*)” (?<noun2>${NOUN}))(?<rest>.*)$`,
  ),
  only: new RegExp(`^(?:${VERBS}) the only (?<noun>${NOUN})$`),
  numbered: new RegExp(`^(?:${VERBS}) (?<noun>${NOUN}) (?<number>\\d+) of ${HOLDER}$`),
  counted: new RegExp(`^(?:${VERBS}) the (?<word>${COUNT.join('|')}) (?<noun>${NOUN}) of ${HOLDER}$`),
  content: new RegExp(`^(?:${VERBS}) the (?<noun>${NOUN}) with the text “(?<text>[^”]*)”$`),
  cell: new RegExp(
    `^(?:${VERBS}) the cell in the column “(?<column>[^”]*)” and the row “(?<row>[^”]*)”(?: of ${HOLDER})?$`,
  ),
  inHolder: new RegExp(`^ in ${HOLDER}$`),
  inWindow: /^ in the window “(?<title>[^”]*)”$/,
}

/** Names that differ in case, blanks or marks at their end are the same to a reader. */
const sameName = (one: string, other: string): boolean => bare(one) === bare(other)
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s:*?!.…]+$/u, '')
    .trim()
const letters = (text: string): string => bare(text).replace(/ /g, '')

/** A picture with all that is known about it. */
class Screen {
  readonly image: CheckedImage
  readonly shown: readonly Annotation[]
  readonly texts: readonly Text[]
  readonly #categories: ReadonlyMap<number, string>
  readonly #byId: ReadonlyMap<number, Annotation>

  constructor(
    image: CheckedImage,
    shown: readonly Annotation[],
    texts: readonly Text[],
    categories: ReadonlyMap<number, string>,
  ) {
    this.image = image
    this.shown = shown
    this.texts = texts
    this.#categories = categories
    this.#byId = new Map(shown.map((each) => [each.id, each]))
  }

  categoryOf = ({ category_id }: Annotation): string => this.#categories.get(category_id)!
  parentOf = ({ parent_id }: Annotation): Annotation | undefined =>
    parent_id === null ? undefined : this.#byId.get(parent_id)

  isBelow(inner: Annotation, outer: Annotation): boolean {
    for (let at = this.parentOf(inner); at; at = this.parentOf(at)) if (at === outer) return true
    return false
  }

  /** Whether an element is what a noun says. */
  is(noun: string, element: Annotation): boolean {
    const category = this.categoryOf(element)
    if (!NOUNS[noun]!.includes(category)) return false
    const parent = this.parentOf(element)
    const around = parent ? this.categoryOf(parent) : ''
    const isInMenu = /^(Menu|MenuItem|MenuBar|SplitButton)$/.test(around)
    if (category === 'CheckBox' || category === 'RadioButton') return isInMenu === (noun === 'menu item')
    if (category !== 'HeaderItem') return true
    const isOfRow =
      /^row/i.test(element.role) ||
      (around === 'Row' && this.shown.some((each) => each.parent_id === parent!.id && this.categoryOf(each) === 'Cell'))
    return isOfRow === (noun === 'row header')
  }

  textRunsIn = ([left, top, width, height]: Annotation['bbox']): readonly Text[] =>
    this.texts.filter(({ bbox: [x, y, w, h] }) => {
      const middle = [x + w / 2, y + h / 2] as const
      return middle[0] >= left && middle[0] <= left + width && middle[1] >= top && middle[1] <= top + height
    })

  /** Texts in nothing but a window: of title bars and the panel, and captions. */
  frameTexts(): readonly Text[] {
    const bodies = this.shown.filter((each) => each.parent_id !== null)
    return this.texts.filter(
      ({ bbox: [x, y, w, h] }) =>
        !bodies.some(({ bbox: [left, top, width, height] }) => {
          const [across, down] = [x + w / 2, y + h / 2]
          return across >= left && across <= left + width && down >= top && down <= top + height
        }),
    )
  }
}

const isInMask = ({ segmentation: { size, counts } }: Annotation, [x, y]: readonly [number, number]): boolean => {
  const place = x * size[0] + y
  let end = 0
  for (const [index, count] of counts.entries()) {
    end += count
    if (place < end) return index % 2 === 1
  }
  return false
}

/** Which of two things a reader may mean, or why an instruction has no meaning. */
type Meaning = readonly Annotation[] | string

async function meaningOf(screen: Screen, sentence: string, observe: Observe): Promise<Meaning> {
  const only = FORMS.only.exec(sentence)?.groups
  if (only) return onlyOnes(screen, only.noun!)
  const counted = FORMS.counted.exec(sentence)?.groups ?? FORMS.numbered.exec(sentence)?.groups
  if (counted) {
    const holder = holderOf(screen, counted)
    if (typeof holder === 'string') return holder
    const place = counted.word ? COUNT.indexOf(counted.word) : Number(counted.number) - 1
    return countedElement(screen, { holder, noun: counted.noun!, place }, observe)
  }
  const content = FORMS.content.exec(sentence)?.groups
  if (content) return withText(screen, content.noun!, content.text!)
  const cell = FORMS.cell.exec(sentence)?.groups
  if (cell) return cellAt(screen, cell)
  const named = FORMS.named.exec(sentence)?.groups
  if (named) {
    const [noun, name] = [(named.noun ?? named.noun2)!, (named.name ?? named.name2)!]
    return withName(screen, { noun, name, rest: named.rest! }, observe)
  }
  return 'is not one of the documented sentences'
}

/** What a sentence calls its element. */
function nounIn(sentence: string): string | undefined {
  if (FORMS.cell.test(sentence)) return 'cell'
  for (const form of [FORMS.only, FORMS.counted, FORMS.numbered, FORMS.content, FORMS.named]) {
    const groups = form.exec(sentence)?.groups
    if (groups) return groups.noun ?? groups.noun2
  }
  return undefined
}

function onlyOnes(screen: Screen, noun: string): Meaning {
  const found = screen.shown.filter((each) => screen.is(noun, each))
  const others = MISTAKEN.find((group) => group.includes(NOUNS[noun]![0]!)) ?? []
  const alike = screen.shown.filter((each) => !found.includes(each) && others.includes(screen.categoryOf(each)))
  return [...found, ...alike]
}

function holderOf(
  screen: Screen,
  { onlyHolder, holder, holderName }: Record<string, string | undefined>,
): Annotation | string {
  const category = HOLDERS[(onlyHolder ?? holder)!]!
  const all = screen.shown.filter((each) => screen.categoryOf(each) === category)
  const found = onlyHolder ? all : all.filter(({ name }) => sameName(name, holderName!))
  if (found.length !== 1) return `means ${found.length} containers`
  if (!onlyHolder && !screen.texts.some(({ text }) => sameName(text, holderName!)))
    return 'names a container without a painted name'
  return found[0]!
}

/** A control has a text if that is one of the lines in it, a document if it is all that is in it. */
function withText(screen: Screen, noun: string, wanted: string): Meaning {
  const family = WRITING.includes(NOUNS[noun]![0]!) ? WRITING : NOUNS[noun]!
  const hasText = (each: Annotation) => {
    // Of a covered control, only what is not covered.
    const isSeen = ({ bbox: [x, y, w, h] }: Text) => isInMask(each, [Math.floor(x + w / 2), Math.floor(y + h / 2)])
    const lines = screen
      .textRunsIn(each.bbox)
      .filter(isSeen)
      .map(({ text }) => letters(text))
    const read = screen.categoryOf(each) === 'Document' ? [lines.join('')] : lines
    return read.includes(letters(wanted))
  }
  return screen.shown.filter(
    (each) =>
      family.includes(screen.categoryOf(each)) &&
      hasText(each) &&
      !screen.shown.some((inner) => screen.isBelow(inner, each) && family.includes(screen.categoryOf(inner))),
  )
}

function cellAt(screen: Screen, groups: Record<string, string | undefined>): Meaning {
  const tables = screen.shown.filter((each) => screen.categoryOf(each) === 'Table')
  const table =
    groups.holder || groups.onlyHolder
      ? holderOf(screen, groups)
      : tables.length === 1
        ? tables[0]!
        : 'means any of several tables'
  if (typeof table === 'string') return table
  const inTable = screen.shown.filter((each) => screen.isBelow(each, table))
  const columns = inTable.filter((each) => screen.is('column header', each) && sameName(each.name, groups.column!))
  const rows = inTable.filter((each) => screen.is('row header', each) && sameName(each.name, groups.row!))
  if (columns.length !== 1 || rows.length !== 1) return `means ${columns.length} columns and ${rows.length} rows`
  const [column, row] = [columns[0]!.bbox, rows[0]!.bbox]
  const crossing = [column[0] + column[2] / 2, row[1] + row[3] / 2] as const
  return inTable.filter(
    (each) =>
      screen.is('cell', each) &&
      each.bbox[0] <= crossing[0] &&
      crossing[0] < each.bbox[0] + each.bbox[2] &&
      each.bbox[1] <= crossing[1] &&
      crossing[1] < each.bbox[1] + each.bbox[3],
  )
}

async function withName(
  screen: Screen,
  { noun, name, rest }: { readonly noun: string; readonly name: string; readonly rest: string },
  observe: Observe,
): Promise<Meaning> {
  const place = PLACES[rest.trim()]
  const window = FORMS.inWindow.exec(rest)?.groups
  const inHolder = FORMS.inHolder.exec(rest)?.groups
  let isIn = (_: Annotation) => true
  if (place) isIn = (each) => each.window_uid === place
  else if (window) {
    const { windows } = await observe(screen.image)
    const titled = windows.filter(({ title }) => sameName(title, window.title!))
    if (titled.length !== 1) return `means ${titled.length} windows`
    if (!screen.texts.some(({ text }) => sameName(text, window.title!))) return 'names a window without a painted title'
    isIn = (each) => each.window_uid === titled[0]!.uid
  } else if (inHolder) {
    const holder = holderOf(screen, inHolder)
    if (typeof holder === 'string') return holder
    isIn = (each) => screen.isBelow(each, holder)
  } else if (rest !== '') return `ends with ${JSON.stringify(rest)}, which is not documented`
  const named = screen.shown.filter((each) => isIn(each) && sameName(each.name, name))
  const found = named.filter((each) => screen.is(noun, each))
  const family = [WRITING, PRESSING].find((group) => group.includes(NOUNS[noun]![0]!)) ?? NOUNS[noun]!
  const mistaken = named.filter(
    (each) =>
      !found.includes(each) &&
      family.includes(screen.categoryOf(each)) &&
      !found.some((one) => screen.isBelow(one, each) || screen.isBelow(each, one)),
  )
  const isAnywhere = rest === '' && family === PRESSING
  const isCaption = named.some((each) => WRITING.includes(screen.categoryOf(each)))
  if (isAnywhere && !isCaption && screen.frameTexts().some(({ text }) => sameName(text, name)))
    return 'has the name of a window or of a button of the panel'
  if (isAnywhere && /^(close|minimi[sz]e|maximi[sz]e|restore)$/i.test(name))
    return 'has the name of a button of a title bar'
  return [...found, ...mistaken]
}

/** The element that is the n-th of a container: in the picture from top to bottom, and in the tree. */
async function countedElement(
  screen: Screen,
  { holder, noun, place }: { readonly holder: Annotation; readonly noun: string; readonly place: number },
  observe: Observe,
): Promise<Meaning> {
  const inside = screen.shown.filter((each) => screen.is(noun, each) && screen.isBelow(each, holder))
  const painted = [...inside].sort((a, b) => a.bbox[1] - b.bbox[1] || a.bbox[0] - b.bbox[0])[place]
  if (!painted) return 'counts further than there are'
  const tree = await (await observe(screen.image)).treeOf(holder.window_uid)
  const root = nodeWith(tree, holder.element_id)
  if (!root) return 'counts in a container that is not in the tree'
  // A platform may show the role by another name.
  const role = nodeWith(root, painted.element_id)?.role
  const listed = [...openNodes(root)].filter((node) => node.role === role)[place]
  return listed?.id === painted.element_id
    ? [painted]
    : `counts ${listed?.id} in the tree and ${painted.element_id} in the picture`
}

function nodeWith(node: TreeNode, id: string): TreeNode | undefined {
  if (node.id === id) return node
  for (const child of node.children ?? []) {
    const found = nodeWith(child, id)
    if (found) return found
  }
  return undefined
}

function* openNodes(parent: TreeNode): Generator<TreeNode> {
  for (const child of parent.children ?? []) {
    if (child.hidden) continue
    yield child
    if (child.expanded !== false) yield* openNodes(child)
  }
}

/** Whether the name of a control is painted in it or near it. */
function isNameNear(screen: Screen, { bbox: [x, y, width, height], name }: Annotation): boolean {
  const reach = Math.max(height, 60) * 2
  const near = screen.textRunsIn([0, y - reach, screen.image.width, height + 2 * reach])
  return (
    near.some(({ text }) => sameName(text, name)) ||
    letters(
      screen
        .textRunsIn([x - 4, y - 4, width + 8, height + 8])
        .map(({ text }) => text)
        .join(''),
    ).includes(letters(name))
  )
}

/** The instructions of a dataset that mean nothing, something else, or more than one thing on the screen. */
export async function wrongInstructions(
  folder: string,
  observe: Observe,
): Promise<{ readonly checked: number; readonly pictures: number; readonly wrong: readonly WrongInstruction[] }> {
  const instructions = linesOf<Instruction>(readFileSync(join(folder, 'grounding.jsonl'), 'utf8'))
  const wrong: WrongInstruction[] = []
  let pictures = 0
  for (const file of readdirSync(join(folder, 'annotations')).sort()) {
    const document = JSON.parse(readFileSync(join(folder, 'annotations', file), 'utf8'))
    const categories = new Map<number, string>(
      document.categories.map(({ id, name }: { id: number; name: string }) => [id, name]),
    )
    for (const image of document.images as readonly CheckedImage[]) {
      pictures++
      const isOf = ({ image_id }: { readonly image_id: number }) => image_id === image.id
      const screen = new Screen(image, document.annotations.filter(isOf), document.texts.filter(isOf), categories)
      for (const line of instructions.filter(isOf)) {
        const problem = await problemOf(screen, line, observe)
        if (problem) wrong.push({ image: image.id, instruction: line.instruction, problem })
      }
    }
  }
  return { checked: instructions.length, pictures, wrong }
}

async function problemOf(screen: Screen, line: Instruction, observe: Observe): Promise<string | undefined> {
  const target = screen.shown.find(({ id }) => id === line.annotation_id)
  if (!target) return 'has no annotation'
  const noun = nounIn(line.instruction)
  if (noun !== undefined && !screen.is(noun, target)) return `calls ${target.role} "${target.name}" a ${noun}`
  const meaning = await meaningOf(screen, line.instruction, observe)
  if (typeof meaning === 'string') return meaning
  if (meaning.length !== 1 || meaning[0] !== target)
    return `means ${meaning.map(({ role, name, window_uid }) => `${role} "${name}" in ${window_uid}`).join(' or ') || 'nothing'}`
  if (!isInMask(target, line.point)) return 'has its point beside its element'
  const above = screen.shown.filter((each) => each.z > target.z && each.clickable && isInMask(each, line.point))
  if (above.length > 0) return 'has its point on another control'
  if (line.name_painted && !isNameNear(screen, target)) return 'says that its name is painted'
  return undefined
}

const linesOf = <T>(text: string): readonly T[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
