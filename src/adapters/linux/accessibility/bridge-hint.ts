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
  [
    /\/libjvm\.so/,
    {
      toolkit: 'Java',
      fix: 'install the access bridge (apt-get install libatk-wrapper-java-jni) and start them with JAVA_TOOL_OPTIONS="-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar"',
    },
  ],
  [/\/libxul\.so/, { toolkit: 'Firefox', fix: 'start them with GNOME_ACCESSIBILITY=1' }],
  [
    /\/libgtk-x11-2/,
    {
      toolkit: 'GTK 2',
      fix: 'install its bridge (apt-get install libatk-adaptor libgail-common) and start them with GTK_MODULES=gail:atk-bridge',
    },
  ],
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

/** What a running program without elements needs to offer some. Undefined when it cannot offer any. */
export function bridgeRemedy(pid: number): string | undefined {
  const hint = accessibilityHint(readLoadedLibraries(pid))
  return hint === UNREADABLE ? undefined : `it is built with ${hint.toolkit}: ${hint.fix}`
}
