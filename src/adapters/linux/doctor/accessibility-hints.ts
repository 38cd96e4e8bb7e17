import { readFileSync } from 'node:fs'

/** What a program that shows nothing to assistive programs is built with, as its loaded libraries tell. */
export interface AccessibilityHint {
  readonly toolkit: string
  readonly fix: string
}

const UNREADABLE: AccessibilityHint = {
  toolkit: 'nothing that can be read',
  fix: 'use get_ocr, get_screenshot and coordinates: these programs tell no program what they show',
}

const HINTS: readonly (readonly [loaded: RegExp, silence: AccessibilityHint])[] = [
  [
    /\/(?:chrome|chromium|electron|code|slack|discord)[^/\n]*$/im,
    { toolkit: 'Chromium or Electron', fix: 'start them with --force-renderer-accessibility' },
  ],
  [/\/libQt[56]/, { toolkit: 'Qt', fix: 'start them with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1' }],
  [/\/libjvm\.so/, { toolkit: 'Java', fix: 'install the access bridge: apt-get install libatk-wrapper-java' }],
  [/\/libxul\.so/, { toolkit: 'Firefox', fix: 'start them with GNOME_ACCESSIBILITY=1' }],
  [/\/libgtk-[34]/, { toolkit: 'GTK', fix: 'start them anew without NO_AT_BRIDGE, GTK_A11Y and NO_GAIL' }],
]

/** What a program needs to tell what it shows, by what it has loaded: the lines of its `/proc/…/maps`. */
export const accessibilityHint = (maps: string): AccessibilityHint =>
  HINTS.find(([loaded]) => loaded.test(maps))?.[1] ?? UNREADABLE

/** The libraries of a running program; empty when they may not be read. */
export function readLoadedLibraries(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    return ''
  }
}
