import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  answers,
  chooses,
  clicks,
  clicksAway,
  comboShows,
  fileHas,
  finds,
  focuses,
  inTurn,
  isPlaced,
  isSelected,
  nameShows,
  type ProgramAbility,
  presses,
  quits,
  type Step,
  scrolls,
  selects,
  type TrialSession,
  textGoes,
  textShows,
  windowGoes,
  windowOpens,
} from './trial.ts'

/** A program, how it is started, and what is tried with it. A text is the reason why nothing is. */
export interface TriedProgram {
  readonly name: string
  readonly toolkit: string
  /** The Debian package, whose version is written. */
  readonly debian: string
  readonly title: RegExp
  /** A program of X11 only, which sway shows through Xwayland. */
  readonly isX11?: true
  readonly command: (home: string) => readonly string[]
  readonly steps: Readonly<Record<ProgramAbility, Step | string>>
}

const TYPED = 'Zażółć 日本 😀'
const NO_LIST = 'its window has no list'
const NO_SCROLL = 'nothing to scroll'
const NO_TEXT = 'takes no text'
const NO_MENU = 'has no menu'
const NO_OBJECTS = 'what its buttons change has no objects'

const note = (number: number) => `note-${number}.txt`
const noteAt = (home: string, number: number) => join(home, 'docs', note(number))

/** Saves a document under another name by the keys of a dialog that is open. */
const savesAs = (number: number) =>
  presses(['ctrl+a', `=saved-${number}.txt`, 'enter'], windowOpens(RegExp(`saved-${number}`)))

/** An editor of text files: types into a note and saves it under its name, then under another. */
const editor = (
  number: number,
  steps: Pick<TriedProgram['steps'], 'click' | 'menu' | 'list'> & Partial<TriedProgram['steps']>,
  typed: string = TYPED,
): TriedProgram['steps'] => ({
  find: finds('Document'),
  scroll: scrolls('Document'),
  type: inTurn(
    focuses('Document'),
    presses(['ctrl+home', `=${typed}`, 'ctrl+s'], fileHas(`docs/${note(number)}`, typed)),
  ),
  dialog: inTurn(presses(['ctrl+shift+s']), savesAs(number)),
  ...steps,
  close: inTurn(presses(['escape']), quits(/note-|saved-/, 'ctrl+q')),
})

export const PROGRAMS: readonly TriedProgram[] = [
  {
    name: 'Calculator',
    toolkit: 'GTK 4',
    debian: 'gnome-calculator',
    title: /^Calculator$/,
    command: () => ['gnome-calculator'],
    steps: {
      find: finds('Button "7"'),
      click: clicks('Button "7"', textShows('7')),
      type: presses(['escape', '=6*7', 'enter'], textShows('42')),
      menu: inTurn(focuses('Button "Basic"'), clicks('MenuItem "Advanced"', textShows('sin'))),
      dialog: 'its dialogs open from a button without a name',
      list: NO_LIST,
      scroll: NO_SCROLL,
      close: quits(/^Calculator$/, 'ctrl+q'),
    },
  },
  {
    name: 'Gnumeric',
    toolkit: 'GTK 3',
    debian: 'gnumeric',
    title: /Gnumeric/,
    command: (home) => ['gnumeric', join(home, 'table.csv')],
    steps: {
      find: finds('MenuItem "File"'),
      click: clicks('ToggleButton[name="Bold"]', isSelected('Bold')),
      type: presses(['ctrl+home', `=${TYPED}`, 'enter', 'ctrl+home'], textShows(TYPED)),
      menu: chooses(['View', 'Zoom...'], windowOpens(/Zoom/)),
      dialog: answers(/^Zoom/, 'escape'),
      list: 'its cells are one drawing area without objects',
      scroll: scrolls('Window'),
      close: inTurn(presses(['ctrl+q']), presses(['alt+d'], windowGoes(/Gnumeric/))),
    },
  },
  {
    name: 'Okular',
    toolkit: 'Qt 5',
    debian: 'okular',
    title: /Okular/,
    isX11: true,
    command: (home) => ['okular', join(home, 'pages.pdf')],
    steps: {
      find: finds('MenuItem "File"'),
      click: clicks('Button[name="Text Selection"]', isSelected('Text Selection')),
      type: presses(['escape', 'ctrl+f', '=number 7'], textShows('number 7')),
      menu: chooses(['Help', 'About Okular'], windowOpens(/About Okular/)),
      dialog: answers(/About/, 'escape'),
      list: NO_LIST,
      scroll: scrolls('Window'),
      close: quits(/Okular/, 'ctrl+q'),
    },
  },
  {
    name: 'Kate',
    toolkit: 'Qt 5',
    debian: 'kate',
    title: /Kate/,
    isX11: true,
    command: (home) => ['kate', '-n', noteAt(home, 1)],
    steps: editor(
      1,
      {
        click: clicks('Button[name="New"]', windowOpens(/Untitled/)),
        menu: inTurn(chooses(['Help', 'About Kate'], windowOpens(/About Kate/)), answers(/About Kate/, 'escape')),
        list: NO_LIST,
      },
      // Kate drops typed characters above U+FFFF, whoever types them.
      'Zażółć 日本',
    ),
  },
  {
    name: 'qpdfview',
    toolkit: 'Qt 5',
    debian: 'qpdfview',
    title: /qpdfview/,
    isX11: true,
    command: (home) => ['qpdfview', join(home, 'pages.pdf')],
    steps: {
      find: finds('Button "Zoom in"'),
      click: clicks('Button "Next page"', textShows('2 / 12')),
      type: presses(['ctrl+f', '=number 7'], textShows('number 7')),
      menu: chooses(['Help', 'About'], windowOpens(/About/)),
      dialog: answers(/About/, 'escape'),
      list: selects('ComboBox', '50 %', textShows('50 %')),
      scroll: scrolls('Window'),
      close: quits(/qpdfview/, 'ctrl+q'),
    },
  },
  {
    name: 'Nautilus',
    toolkit: 'GTK 4',
    debian: 'nautilus',
    title: /^docs$/,
    command: (home) => ['nautilus', join(home, 'docs')],
    steps: {
      find: finds('Cell "note-0.txt"'),
      list: clicks('Cell "note-1.txt"', textShows('“note-1.txt” selected')),
      menu: inTurn(
        presses(['f10']),
        clicks('MenuItem "Properties"', windowOpens(/Properties/)),
        answers(/Properties/, 'escape'),
      ),
      scroll: scrolls('Group "Content View"'),
      click: clicks('ListItem "Other Locations"', windowOpens(/Other Locations/)),
      type: inTurn(presses(['alt+left'], windowOpens(/^docs$/)), presses(['ctrl+f', '=note-17'], textShows('note-17'))),
      dialog: inTurn(presses(['ctrl+shift+n', '=made here', 'enter'], textShows('made here'))),
      close: quits(/docs/, 'ctrl+w'),
    },
  },
  {
    name: 'Impress',
    toolkit: 'LibreOffice, GTK 3',
    debian: 'libreoffice-impress',
    title: /Impress/,
    command: (home) => [
      'soffice',
      `-env:UserInstallation=file://${join(home, 'impress')}`,
      '--norestore',
      '--nofirststartwizard',
      '--nologo',
      '--impress',
    ],
    steps: {
      dialog: answers(/Select a Template/, 'escape'),
      find: finds('MenuItem "File"'),
      list: clicks('ListItem "Title Only"', textGoes('Click to add Text', 'Click to add Title')),
      // The first key selects the title, the second opens it for text.
      type: inTurn(focuses('Document'), presses(['escape', 'tab', 'f2', `=${TYPED}`], textShows(TYPED))),
      click: inTurn(presses(['escape']), clicks('Button[name="Rectangle"]', isSelected('Rectangle'))),
      menu: inTurn(
        presses(['escape']),
        chooses(['Help', 'About LibreOffice'], windowOpens(/About/)),
        answers(/About/, 'escape'),
      ),
      scroll: NO_SCROLL,
      close: inTurn(presses(['escape', 'ctrl+q']), presses(['alt+n'], windowGoes(/Impress/))),
    },
  },
  {
    name: 'Thunderbird',
    toolkit: 'Gecko, GTK 3',
    debian: 'thunderbird',
    title: /Thunderbird/,
    command: (home) => ['thunderbird', '--no-remote', '--profile', join(home, 'thunderbird')],
    steps: {
      find: finds('Button "Continue"'),
      click: clicks('Edit "Email address*"', isSelected('Email address*')),
      type: presses(['=zofia@example.com'], textShows('zofia@example.com')),
      menu: NO_MENU,
      dialog: 'none is open at the start',
      list: NO_LIST,
      scroll: NO_SCROLL,
      close: quits(/Thunderbird/, 'ctrl+q'),
    },
  },
  {
    name: 'Pluma',
    toolkit: 'GTK 3',
    debian: 'pluma',
    title: /Pluma/,
    command: (home) => ['pluma', noteAt(home, 2)],
    steps: editor(2, {
      click: clicks('Button[name="New"]', windowOpens(/Unsaved/)),
      menu: inTurn(chooses(['Help', 'About'], windowOpens(/About/)), answers(/About/, 'escape')),
      list: NO_LIST,
    }),
  },
  {
    name: 'GIMP',
    toolkit: 'GTK 2',
    debian: 'gimp',
    title: /GNU Image|GIMP/,
    isX11: true,
    command: () => ['env', 'GTK_MODULES=gail:atk-bridge', 'gimp', '--no-splash', '--new-instance'],
    steps: {
      find: finds('MenuItem "File"'),
      click: clicks('MenuItem[name="Help"]', isPlaced('About')),
      type: NO_TEXT,
      // GTK 2 reports the items of an open menu as not showing, so keys choose them.
      menu: inTurn(
        presses(['escape']),
        focuses('MenuItem[name="Help"]'),
        presses(['down', 'down', 'down', 'enter'], windowOpens(/About/)),
      ),
      dialog: answers(/About/, 'escape'),
      list: NO_LIST,
      scroll: NO_SCROLL,
      close: inTurn(presses(['ctrl+q'], windowGoes(/GNU Image/))),
    },
  },
  {
    name: 'jEdit',
    toolkit: 'Java Swing',
    debian: 'jedit',
    title: /jEdit - note-3/,
    isX11: true,
    command: (home) => [
      'env',
      'JAVA_TOOL_OPTIONS=-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar',
      'jedit',
      '-nosplash',
      noteAt(home, 3),
    ],
    steps: {
      find: finds('MenuItem "File"'),
      click: clicks('MenuItem[name="File"]', nameShows('New')),
      type: presses(['escape', `=typed`, 'ctrl+s'], fileHas(`docs/${note(3)}`, 'typed')),
      menu: chooses(['Help', 'About jEdit...'], windowOpens(/About/)),
      dialog: answers(/About/, 'escape'),
      list: NO_LIST,
      scroll: scrolls('Window'),
      close: quits(/jEdit - /, 'ctrl+q'),
    },
  },
  {
    name: 'Geany',
    toolkit: 'GTK 3',
    debian: 'geany',
    title: /Geany/,
    command: (home) => ['geany', '-i', noteAt(home, 4)],
    steps: editor(4, {
      dialog: inTurn(chooses(['File', 'Save As...'], windowOpens(/Save/)), savesAs(4)),
      click: clicks('Button[name="New"]', windowOpens(/untitled/)),
      menu: inTurn(chooses(['Help', 'About'], windowOpens(/About/)), answers(/About/, 'escape')),
      list: clicks('TabItem[name="Status"]', isSelected('Status')),
    }),
  },
  {
    name: 'Evince',
    toolkit: 'GTK 3',
    debian: 'evince',
    title: /pages/,
    command: (home) => ['evince', join(home, 'pages.pdf')],
    steps: {
      find: finds('ToggleButton "Find"'),
      scroll: scrolls('Document "Document View"'),
      list: clicks('Image[name="2"]', isSelected('2')),
      click: clicks('ToggleButton "Find"', isSelected('Find')),
      type: presses(['=number 7'], textShows('number 7')),
      menu: inTurn(presses(['escape']), clicks('ToggleButton "File options"', isSelected('File options'))),
      dialog: inTurn(
        presses(['escape', 'alt+enter'], windowOpens(/Properties/)),
        presses(['escape'], windowGoes(/Properties/)),
      ),
      close: quits(/pages/, 'ctrl+w'),
    },
  },
  {
    name: 'Inkscape',
    toolkit: 'GTK 3',
    debian: 'inkscape',
    title: /Inkscape/,
    command: () => ['inkscape'],
    steps: {
      find: finds('TabItem "Time to Draw"'),
      click: clicks('Button "Save"', isSelected('Supported by You')),
      list: clicks('TabItem "Time to Draw"', isSelected('Time to Draw')),
      dialog: inTurn(presses(['escape'], windowOpens(/New document/))),
      menu: 'its first window is a dialog without menus',
      type: NO_TEXT,
      scroll: NO_SCROLL,
      close: quits(/Inkscape/, 'ctrl+q'),
    },
  },
  {
    name: 'Transmission',
    toolkit: 'GTK 3',
    debian: 'transmission-gtk',
    title: /^Transmission$/,
    command: () => ['transmission-gtk'],
    steps: {
      dialog: answers(/^$/, 'alt+a'),
      find: finds('Button "Open"'),
      click: clicks('Button "Open"', windowOpens(/Open a Torrent/)),
      list: inTurn(presses(['escape'], windowGoes(/Open a/)), selects('ComboBox', 'Paused', comboShows('Paused'))),
      menu: chooses(['Help', 'About'], windowOpens(/About/)),
      type: inTurn(
        presses(['escape'], windowGoes(/About/)),
        presses(['ctrl+u', '=http://127.0.0.1/x'], textShows('127.0.0.1/x')),
      ),
      scroll: NO_SCROLL,
      close: inTurn(presses(['escape'], windowGoes(/URL/)), quits(/Transmission/, 'ctrl+q')),
    },
  },
  {
    name: 'Audacity',
    toolkit: 'wxWidgets, GTK 3',
    debian: 'audacity',
    title: /^Audacity$/,
    command: () => ['audacity'],
    steps: {
      dialog: clicksAway('Welcome to Audacity!', 'Button "OK"'),
      find: finds('MenuItem "File"'),
      click: clicks('MenuItem[name="File"]', nameShows('New')),
      menu: inTurn(presses(['escape']), chooses(['Help', 'About Audacity'], windowOpens(/About/))),
      type: NO_TEXT,
      list: NO_LIST,
      scroll: NO_SCROLL,
      close: inTurn(presses(['escape'], windowGoes(/About/)), quits(/^Audacity$/, 'ctrl+q')),
    },
  },
  {
    name: 'Zim',
    toolkit: 'GTK 3',
    debian: 'zim',
    title: /Notes/,
    command: (home) => ['zim', join(home, 'notebook')],
    steps: {
      find: finds('ToggleButton "Strong"'),
      click: clicks('ToggleButton "Strong"', isSelected('Strong')),
      type: inTurn(
        focuses('Document'),
        presses(['ctrl+home', 'end', `=${TYPED}`, 'ctrl+s'], fileHas('notebook/Home.txt', 'Zażółć')),
      ),
      menu: chooses(['Help', 'About'], windowOpens(/About/)),
      dialog: answers(/About/, 'escape'),
      list: clicks('Cell "Other"', windowOpens(/^Other - /)),
      scroll: NO_SCROLL,
      close: quits(/Notes/, 'ctrl+q'),
    },
  },
  {
    name: 'Emacs',
    toolkit: 'GTK 3, X11',
    debian: 'emacs-gtk',
    title: /Emacs/,
    isX11: true,
    command: (home) => ['emacs', '-Q', noteAt(home, 5)],
    steps: {
      find: finds('MenuItem "File"'),
      scroll: scrolls('Window'),
      type: presses(['ctrl+home', '=typed ', 'ctrl+x', 'ctrl+s'], fileHas(`docs/${note(5)}`, 'typed')),
      click: NO_OBJECTS,
      menu: chooses(['Help', 'About Emacs'], windowOpens(/About GNU Emacs/)),
      dialog: 'asks in its own area, which has no objects',
      list: NO_LIST,
      close: inTurn(presses(['ctrl+x']), quits(/Emacs/, 'ctrl+c')),
    },
  },
  {
    name: 'Control centre',
    toolkit: 'GTK 3, X11',
    debian: 'mate-control-center',
    title: /^Control Center$/,
    isX11: true,
    // Elsewhere it lists only what every desktop shows.
    command: () => ['env', 'XDG_CURRENT_DESKTOP=MATE', 'mate-control-center'],
    steps: {
      find: finds('Button "Mouse"'),
      scroll: scrolls('Window'),
      click: clicks('Button "Preferred Applications"', windowOpens(/^Preferred Applications$/)),
      dialog: answers(/^Preferred Applications$/, 'escape'),
      type: inTurn(focuses('Edit "Search"'), presses(['=mous'], textShows('mous'))),
      menu: NO_MENU,
      list: NO_LIST,
      close: quits(/Control Center/, 'alt+f4'),
    },
  },
  {
    name: 'Dolphin',
    toolkit: 'Qt 5',
    debian: 'dolphin',
    title: /Dolphin/,
    isX11: true,
    command: (home) => ['dolphin', join(home, 'docs')],
    steps: {
      find: finds('CheckBox "Details"'),
      click: clicks('CheckBox "Details"', isSelected('Details')),
      scroll: scrolls('Window'),
      type: presses(['f10', 'ctrl+a', '=made here', 'enter'], textShows('made here')),
      menu: 'its menu bar is behind a button',
      dialog: inTurn(
        presses(['f10'], windowOpens(/New Folder|Create/)),
        presses(['escape'], windowGoes(/New Folder|Create/)),
      ),
      // A click on a file would open it.
      list: clicks('ListItem "Trash"', windowOpens(/^Trash/)),
      close: quits(/Dolphin/, 'ctrl+q'),
    },
  },
  {
    name: 'gedit',
    toolkit: 'GTK 3',
    debian: 'gedit',
    title: /gedit/,
    command: (home) => ['gedit', noteAt(home, 6)],
    steps: editor(6, {
      click: clicks('Button[name="New"]', windowOpens(/Untitled/)),
      menu: inTurn(presses(['f10']), clicks('Button "About gedit"', windowOpens(/About/)), answers(/About/, 'escape')),
      list: NO_LIST,
    }),
  },
  {
    name: 'Panel',
    toolkit: 'GTK 3',
    debian: 'mate-panel',
    title: /Top Panel/,
    isX11: true,
    command: () => ['mate-panel', '--replace'],
    steps: {
      find: finds('MenuItem "Places"'),
      click: clicks('MenuItem "Places"', nameShows('Home Folder')),
      menu: inTurn(presses(['escape']), chooses(['System', 'Preferences'], nameShows('Look and Feel'))),
      dialog: 'opens none',
      type: NO_TEXT,
      list: NO_LIST,
      scroll: NO_SCROLL,
      close: 'ends with its session',
    },
  },
]

/** Variables for programs of X11 in a session. */
export const startingAs = ({ isX11 }: TriedProgram, session: TrialSession): readonly string[] =>
  isX11 && session === 'sway' ? ['env', 'GDK_BACKEND=x11', 'QT_QPA_PLATFORM=xcb'] : ['env']

const PAGES = 12

/** A document of pages that name their number (ISO 32000, "File structure"). */
function pdfOf(pages: number): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, page) => `${4 + page * 2} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: pages }, (_, page) => {
      const text = `BT /F1 36 Tf 72 700 Td (Page number ${page + 1}) Tj ET`
      const resources = '/Resources<</Font<</F1 3 0 R>>>>'
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents ${5 + page * 2} 0 R>>`,
        `<</Length ${text.length}>>stream\n${text}\nendstream`,
      ]
    }).flat(),
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>`
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}${trailer}\nstartxref\n${start}\n%%EOF\n`
}

const lines = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => line(number)).join('\n')

/** Writes the files that programs open. */
export function writeDocuments(home: string): void {
  for (const folder of ['docs', 'notebook', 'thunderbird']) mkdirSync(join(home, folder))
  for (let number = 0; number < 60; number++)
    writeFileSync(
      noteAt(home, number),
      lines(200, (line) => `line ${line} of note ${number}`),
    )
  writeFileSync(join(home, 'pages.pdf'), pdfOf(PAGES))
  writeFileSync(
    join(home, 'table.csv'),
    lines(100, (row) => `row ${row},${row},${row * 2}`),
  )
  writeFileSync(join(home, 'notebook', 'notebook.zim'), '[Notebook]\nversion=0.4\nname=Notes\nhome=Home\n')
  const page = 'Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n====== Home ======\nHello\n'
  writeFileSync(join(home, 'notebook', 'Home.txt'), page)
  writeFileSync(join(home, 'notebook', 'Other.txt'), page.replace('Home', 'Other'))
  // The control centre lists the settings of installed programs, which may all be in view.
  const settings = join(home, '.local', 'share', 'applications')
  mkdirSync(settings, { recursive: true })
  for (let number = 10; number < 40; number++)
    writeFileSync(
      join(settings, `setting-${number}.desktop`),
      `[Desktop Entry]\nType=Application\nName=Setting ${number}\nExec=true\nCategories=GTK;Settings;X-MATE-PersonalSettings;\n`,
    )
  // Otherwise it offers to restore what an earlier run has left in the folder that all share.
  mkdirSync(join(home, 'config', 'audacity'), { recursive: true })
  writeFileSync(join(home, 'config', 'audacity', 'audacity.cfg'), `[Directories]\nTempDir=${join(home, 'audacity')}\n`)
}
