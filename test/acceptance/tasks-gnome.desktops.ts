import { describe, inject } from 'vitest'
import { startGnomeTestDesktop } from '../support/linux/gnome-desktop.ts'
import { tasksSuite } from './tasks.suite.ts'

const testing = inject('debianTesting')

describe.skipIf('reason' in testing)('GNOME', () => {
  tasksSuite('gnome', {
    open: (size) => startGnomeTestDesktop(testing, size),
    gnomeInput: 'mutter',
    without: ['LibreOffice', 'Firefox', 'Thunar', 'Mousepad', 'a terminal', 'a second monitor'],
  })
})
