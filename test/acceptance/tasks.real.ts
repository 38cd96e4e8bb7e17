import { startTestDesktop } from '../support/linux/test-desktop.ts'
import { tasksSuite } from './tasks.suite.ts'

tasksSuite('x11', { open: (size) => startTestDesktop({ session: 'x11', ...size }) })
