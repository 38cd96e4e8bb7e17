import { startTestDesktop } from '../support/linux/test-desktop.ts'
import { tasksSuite } from './tasks.suite.ts'

tasksSuite('sway', { open: (size) => startTestDesktop({ session: 'sway', ...size }) })
