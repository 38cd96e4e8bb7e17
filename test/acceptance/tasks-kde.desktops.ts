import { describe, inject } from 'vitest'
import { startKdeTestDesktop } from '../support/linux/kde-desktop.ts'
import { tasksSuite } from './tasks.suite.ts'

const testing = inject('debianTesting')

describe.skipIf('reason' in testing)('KDE', () => {
  tasksSuite('kde', {
    open: (size) => startKdeTestDesktop(testing, size),
    without: ['LibreOffice', 'Firefox', 'Thunar', 'Mousepad', 'a terminal', 'pictures', 'a second monitor'],
  })
})
