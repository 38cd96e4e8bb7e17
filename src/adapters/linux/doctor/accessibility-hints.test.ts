import { expect, it } from 'vitest'
import { accessibilityHint } from './accessibility-hints.ts'

it.each([
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libQt6Core.so.6', 'QT_LINUX_ACCESSIBILITY_ALWAYS_ON'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/chromium/chromium', '--force-renderer-accessibility'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/jvm/java-17/lib/server/libjvm.so', 'access bridge'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libgtk-3.so.0', 'NO_AT_BRIDGE'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libtk8.6.so', 'get_ocr'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/bin/xterm', 'get_ocr'],
  ['', 'get_ocr'],
])('[B10] names the remedy for a program with %s', (maps, remedy) => {
  expect(accessibilityHint(maps).fix).toContain(remedy)
})
