import { readFileSync } from 'node:fs'

/** The toolkit of a program without accessibility, and how to enable it. */
export interface AccessibilityHint {
  readonly toolkit: string
  readonly fix: string
}

const UNREADABLE: AccessibilityHint = {
  toolkit: 'no toolkit that supports accessibility',
  fix: 'use get_ocr, get_screenshot and coordinates: these programs have no accessibility',
}

const HINTS: readonly (readonly [loaded: RegExp, silence: AccessibilityHint])[] = [
  [
    /\/(?:chrome|chromium|electron|code|slack|discord)[^/\n]*$/im,
    { toolkit: 'Chromium or Electron', fix: 'start them with --force-renderer-accessibility' },
  ],
  [/\/libQt[56]/, { toolkit: 'Qt', fix: 'start them with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1' }],
  [/\/libjvm\.so/, { toolkit: 'Java', fix: 'install the access bridge: apt-get install libatk-wrapper-java' }],
  [/\/libxul\.so/, { toolkit: 'Firefox', fix: 'start them with GNOME_ACCESSIBILITY=1' }],
  [/\/libgtk-[34]/, { toolkit: 'GTK', fix: 'restart them without NO_AT_BRIDGE, GTK_A11Y and NO_GAIL' }],
]

/** The hint for a program by its loaded libraries, the text of its `/proc/…/maps`. */
export const accessibilityHint = (maps: string): AccessibilityHint =>
  HINTS.find(([loaded]) => loaded.test(maps))?.[1] ?? UNREADABLE

/** The loaded libraries of a running program. Empty when they cannot be read. */
export function readLoadedLibraries(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    return ''
  }
}
