import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIREFOX_SETTINGS } from '../../test/support/linux/programs.ts'
import { PROGRAMS } from '../linux-programs/programs.ts'

/** The programs of a fold are tested by detectors that have seen none of them. */
export type Fold = 'A' | 'B' | 'C' | 'D'

/** What leads to another screen of a program: keys (a text with a leading `=` is typed), a click on an element, or a size of its window. */
export type Excursion =
  | { readonly keys: readonly string[] }
  | { readonly click: string }
  | { readonly size: readonly [width: number, height: number] }

/** A look is variables of the environment, and arguments of the program. */
export interface Look {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

/** A program whose screens are captured. */
export interface CapturedProgram {
  readonly name: string
  readonly fold: Fold
  readonly toolkit: string
  readonly debian: string
  readonly title: RegExp
  readonly command: (home: string) => readonly string[]
  readonly looks: readonly Look[]
  readonly excursions: readonly Excursion[]
}

const keys = (...chord: readonly string[]): Excursion => ({ keys: chord })
/** Goes to another page of a browser. */
const pages = (...addresses: readonly string[]): readonly Excursion[] =>
  addresses.map((address) => keys('ctrl+l', `=${address}`, 'enter'))
const click = (selector: string): Excursion => ({ click: selector })
const SIZES: readonly Excursion[] = [{ size: [1180, 800] }, { size: [820, 560] }, { size: [620, 720] }]

/** Adwaita in both shades, and another theme, which differs from program to program. */
const gtk = (other: 'Arc' | 'Arc-Dark' | 'Greybird' | 'Greybird-dark' | 'Breeze' | 'Breeze-Dark'): readonly Look[] =>
  ['Adwaita', 'Adwaita:dark', other].map((theme) => ({ env: { GTK_THEME: theme } }))

/** Fusion in both shades, and another style. The dark colours are those that `writeSettings` has put into a folder. */
const qt = (other: string): readonly Look[] => [
  { env: { QT_STYLE_OVERRIDE: 'fusion' } },
  { env: { QT_STYLE_OVERRIDE: 'breeze', TRANSFER_DARK: '1' } },
  { env: { QT_STYLE_OVERRIDE: other } },
]

const swing = (look: string): Look => ({ env: { TRANSFER_SWING: look } })

/** How a program of `npm run bench:programs` is started. */
function started(name: string) {
  const { toolkit, debian, title, command } = PROGRAMS.find((program) => program.name === name)!
  return { name, toolkit, debian, title, command }
}

const office = (kind: 'writer' | 'calc', name: string, fold: Fold): CapturedProgram => ({
  name,
  fold,
  toolkit: 'LibreOffice, GTK 3',
  debian: `libreoffice-${kind}`,
  title: RegExp(name),
  command: (home) => [
    'soffice',
    `-env:UserInstallation=file://${join(home, kind)}`,
    '--norestore',
    '--nofirststartwizard',
    '--nologo',
    `--${kind}`,
  ],
  looks: gtk(kind === 'writer' ? 'Greybird' : 'Arc'),
  excursions: [keys('ctrl+h'), keys('ctrl+f'), keys('alt+f12'), keys('shift+f11'), keys('ctrl+shift+s'), ...SIZES],
})

/** Chromium and Firefox open pages of their own, which need no network. */
const CHROMIUM = [
  'chromium',
  '--no-sandbox',
  '--no-first-run',
  '--force-renderer-accessibility',
  '--password-store=basic',
]

export const CAPTURED: readonly CapturedProgram[] = [
  {
    ...started('Calculator'),
    fold: 'A',
    looks: gtk('Arc'),
    excursions: [
      click('ToggleButton "Menu"'),
      keys('ctrl+alt+a'),
      keys('ctrl+alt+f'),
      keys('ctrl+alt+p'),
      keys('ctrl+alt+k'),
      keys('ctrl+,'),
      keys('ctrl+?'),
      ...SIZES,
    ],
  },
  {
    ...started('Pluma'),
    fold: 'A',
    looks: gtk('Greybird'),
    excursions: [
      keys('ctrl+f'),
      keys('ctrl+h'),
      keys('ctrl+o'),
      keys('ctrl+shift+s'),
      keys('ctrl+i'),
      keys('f9'),
      ...SIZES,
    ],
  },
  {
    ...started('gedit'),
    fold: 'A',
    looks: gtk('Breeze'),
    excursions: [
      keys('f10'),
      keys('ctrl+f'),
      keys('ctrl+h'),
      keys('ctrl+o'),
      keys('ctrl+shift+s'),
      keys('ctrl+i'),
      keys('f9'),
      keys('ctrl+p'),
      ...SIZES,
    ],
  },
  {
    ...started('Okular'),
    fold: 'A',
    looks: qt('windows'),
    excursions: [keys('ctrl+f'), keys('ctrl+o'), keys('ctrl+shift+s'), keys('f7'), keys('alt+enter'), ...SIZES],
  },
  {
    ...started('Zim'),
    fold: 'A',
    looks: gtk('Arc-Dark'),
    excursions: [
      keys('ctrl+f'),
      keys('ctrl+n'),
      keys('ctrl+d'),
      keys('ctrl+l'),
      keys('ctrl+shift+f'),
      keys('f2'),
      ...SIZES,
    ],
  },
  {
    name: 'Firefox',
    fold: 'A',
    toolkit: 'Gecko, GTK 3',
    debian: 'firefox-esr',
    title: /Firefox/,
    command: (home) => ['firefox-esr', '--no-remote', '--profile', join(home, 'firefox'), 'about:preferences'],
    looks: gtk('Breeze'),
    excursions: [
      ...pages('about:preferences#search', 'about:preferences#privacy', 'about:preferences#home', 'about:addons'),
      ...pages('about:support', 'about:profiles', 'about:logins', 'about:networking', 'about:performance'),
      keys('f10'),
      keys('ctrl+b'),
      keys('ctrl+shift+o'),
      keys('ctrl+f'),
      ...SIZES,
    ],
  },
  {
    name: 'Printers',
    fold: 'A',
    toolkit: 'GTK 3',
    debian: 'system-config-printer',
    title: /Print/,
    command: () => ['system-config-printer'],
    looks: gtk('Greybird-dark'),
    excursions: [keys('ctrl+n'), click('Button "Add"'), ...SIZES],
  },
  {
    ...started('Nautilus'),
    fold: 'B',
    looks: gtk('Arc'),
    excursions: [
      keys('f10'),
      keys('ctrl+f'),
      keys('ctrl+shift+n'),
      keys('ctrl+,'),
      keys('ctrl+1'),
      keys('ctrl+2'),
      keys('ctrl+l'),
      keys('ctrl+t'),
      click('ListItem "Other Locations"'),
      ...SIZES,
    ],
  },
  {
    name: 'Thunar',
    fold: 'B',
    toolkit: 'GTK 3',
    debian: 'thunar',
    title: /Thunar/,
    command: (home) => ['thunar', join(home, 'docs')],
    looks: gtk('Greybird'),
    excursions: [
      keys('ctrl+1'),
      keys('ctrl+3'),
      keys('ctrl+s'),
      keys('ctrl+shift+n'),
      keys('ctrl+a', 'alt+enter'),
      keys('ctrl+l'),
      ...SIZES,
    ],
  },
  {
    ...started('Dolphin'),
    fold: 'B',
    looks: qt('windows'),
    excursions: [
      keys('f10'),
      keys('ctrl+f'),
      keys('ctrl+shift+,'),
      keys('ctrl+1'),
      keys('ctrl+3'),
      keys('f3'),
      keys('f11'),
      keys('ctrl+m'),
      keys('ctrl+a', 'alt+enter'),
      click('ListItem "Trash"'),
      ...SIZES,
    ],
  },
  {
    ...started('Gnumeric'),
    fold: 'B',
    looks: gtk('Breeze'),
    excursions: [keys('ctrl+f'), keys('ctrl+h'), keys('ctrl+1'), keys('ctrl+o'), keys('ctrl+p'), keys('f5'), ...SIZES],
  },
  {
    ...started('Transmission'),
    fold: 'B',
    looks: gtk('Arc-Dark'),
    excursions: [
      keys('ctrl+o'),
      keys('ctrl+u'),
      keys('ctrl+n'),
      keys('alt+e', 'p'),
      keys('alt+e', 'up', 'enter'),
      ...SIZES,
    ],
  },
  {
    ...started('jEdit'),
    fold: 'B',
    looks: [swing('metal'), swing('nimbus'), swing('motif')],
    excursions: [keys('ctrl+f'), keys('ctrl+o'), keys('ctrl+p'), keys('f1'), keys('ctrl+enter'), ...SIZES],
  },
  office('writer', 'Writer', 'C'),
  office('calc', 'Calc', 'C'),
  {
    ...started('Kate'),
    fold: 'C',
    looks: qt('windows'),
    excursions: [
      keys('ctrl+f'),
      keys('ctrl+r'),
      keys('ctrl+o'),
      keys('ctrl+g'),
      keys('ctrl+shift+s'),
      keys('ctrl+shift+,'),
      keys('f7'),
      ...SIZES,
    ],
  },
  {
    ...started('Evince'),
    fold: 'C',
    looks: gtk('Greybird'),
    excursions: [
      click('ToggleButton "File options"'),
      keys('f9'),
      keys('ctrl+f'),
      keys('ctrl+o'),
      keys('ctrl+p'),
      keys('alt+enter'),
      keys('ctrl+s'),
      keys('f5'),
      ...SIZES,
    ],
  },
  {
    ...started('Control centre'),
    fold: 'C',
    looks: gtk('Arc'),
    excursions: [
      ...[
        'Preferred Applications',
        'Mouse',
        'Keyboard',
        'Appearance',
        'Windows',
        'Screensaver',
        'Keyboard Shortcuts',
      ].map((name) => click(`Button "${name}"`)),
      ...['Popup Notifications', 'Time And Date Manager', 'File Management', 'Displays'].map((name) =>
        click(`Button "${name}"`),
      ),
      ...SIZES,
    ],
  },
  {
    name: 'Chromium',
    fold: 'C',
    toolkit: 'Chromium',
    debian: 'chromium',
    title: /Chromium/,
    command: (home) => [...CHROMIUM, `--user-data-dir=${join(home, 'chromium')}`, 'chrome://settings'],
    looks: [{}, { args: ['--force-dark-mode'] }, { args: ['--force-device-scale-factor=1.25'] }],
    excursions: [
      ...pages('chrome://settings/appearance', 'chrome://settings/privacy', 'chrome://settings/search'),
      ...pages('chrome://settings/languages', 'chrome://settings/downloads', 'chrome://settings/fonts'),
      ...pages(
        'chrome://settings/content',
        'chrome://extensions',
        'chrome://bookmarks',
        'chrome://history',
        'chrome://flags',
      ),
      keys('alt+f'),
      keys('ctrl+f'),
      keys('ctrl+p'),
      keys('ctrl+shift+delete'),
      ...SIZES,
    ],
  },
  {
    name: 'Text Editor',
    fold: 'D',
    toolkit: 'GTK 4',
    debian: 'gnome-text-editor',
    title: /Text Editor/,
    command: (home) => ['gnome-text-editor', '--standalone', join(home, 'docs', 'note-7.txt')],
    looks: gtk('Arc'),
    excursions: [
      keys('f10'),
      keys('ctrl+f'),
      keys('ctrl+h'),
      keys('ctrl+,'),
      keys('ctrl+o'),
      keys('ctrl+shift+s'),
      keys('ctrl+p'),
      keys('ctrl+k'),
      keys('ctrl+t'),
      keys('ctrl+?'),
      ...SIZES,
    ],
  },
  {
    name: 'Mousepad',
    fold: 'D',
    toolkit: 'GTK 3',
    debian: 'mousepad',
    title: /Mousepad/,
    command: (home) => ['mousepad', '--disable-server', join(home, 'docs', 'note-8.txt')],
    looks: gtk('Breeze-Dark'),
    excursions: [
      keys('ctrl+f'),
      keys('ctrl+r'),
      keys('ctrl+o'),
      keys('ctrl+shift+s'),
      keys('ctrl+g'),
      keys('ctrl+p'),
      ...SIZES,
    ],
  },
  {
    ...started('Geany'),
    fold: 'D',
    looks: gtk('Arc'),
    excursions: [
      keys('ctrl+f'),
      keys('ctrl+h'),
      keys('ctrl+o'),
      keys('ctrl+shift+f'),
      keys('ctrl+alt+p'),
      keys('ctrl+l'),
      ...SIZES,
    ],
  },
  {
    ...started('qpdfview'),
    fold: 'D',
    looks: qt('windows'),
    excursions: [keys('ctrl+f'), keys('ctrl+o'), keys('ctrl+s'), keys('ctrl+p'), keys('f6'), keys('f7'), ...SIZES],
  },
  {
    name: 'KCalc',
    fold: 'D',
    toolkit: 'Qt 5',
    debian: 'kcalc',
    title: /KCalc/,
    command: () => ['kcalc'],
    looks: qt('windows'),
    excursions: [keys('ctrl+1'), keys('ctrl+2'), keys('ctrl+3'), keys('ctrl+shift+,'), keys('ctrl+m'), ...SIZES],
  },
  {
    name: 'Xfce Terminal',
    fold: 'D',
    toolkit: 'GTK 3',
    debian: 'xfce4-terminal',
    title: /Terminal/,
    command: () => ['xfce4-terminal', '--disable-server', '--show-menubar'],
    looks: gtk('Greybird-dark'),
    excursions: [
      keys('ctrl+shift+f'),
      keys('ctrl+shift+t'),
      keys('ctrl+shift+s'),
      keys('alt+e', 'up', 'enter'),
      keys('shift+f10'),
      ...SIZES,
    ],
  },
  {
    ...started('Audacity'),
    fold: 'D',
    looks: gtk('Greybird'),
    excursions: [keys('ctrl+p'), keys('ctrl+o'), keys('ctrl+shift+n'), keys('ctrl+shift+a'), keys('ctrl+b'), ...SIZES],
  },
]

/** Further Debian packages: themes, and what Swing needs for accessibility. */
export const LOOK_PACKAGES = [
  'arc-theme',
  'greybird-gtk-theme',
  'breeze-gtk-theme',
  'kde-style-breeze',
  'libatk-wrapper-java',
]

const SWING_CLASSES: Readonly<Record<string, string>> = {
  metal: 'javax.swing.plaf.metal.MetalLookAndFeel',
  nimbus: 'javax.swing.plaf.nimbus.NimbusLookAndFeel',
  motif: 'com.sun.java.swing.plaf.motif.MotifLookAndFeel',
}

const DARK_COLOURS = {
  Window: ['42,46,50', '252,252,252'],
  View: ['27,30,32', '252,252,252'],
  Button: ['49,54,59', '252,252,252'],
  Selection: ['61,174,233', '252,252,252'],
  Tooltip: ['49,54,59', '252,252,252'],
}

/** Writes the settings of a look that no variable chooses. */
export function writeSettings(home: string, { env = {} }: Look): void {
  const config = join(home, 'config')
  mkdirSync(config, { recursive: true })
  if (env.TRANSFER_DARK) {
    const groups = Object.entries(DARK_COLOURS).map(
      ([name, [back, front]]) =>
        `[Colors:${name}]\nBackgroundNormal=${back}\nBackgroundAlternate=${back}\nForegroundNormal=${front}\nDecorationFocus=61,174,233\n`,
    )
    writeFileSync(join(config, 'kdeglobals'), groups.join('\n'))
  }
  if (env.TRANSFER_SWING) {
    mkdirSync(join(home, '.jedit'), { recursive: true })
    writeFileSync(
      join(home, '.jedit', 'properties'),
      `lookAndFeel=${SWING_CLASSES[env.TRANSFER_SWING]}\ntip.show=false\nfirstTime=false\n`,
    )
  }
  mkdirSync(join(home, 'firefox'), { recursive: true })
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  writeFileSync(join(home, 'firefox', 'user.js'), lines.join('\n'))
}
