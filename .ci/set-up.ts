// Downloads what later suites need, while others compute: programs for desktops of Linux and, with the argument `windows`, Wine.
// Those suites do the rest.
import { setup as installLinuxPrograms } from '../test/support/linux/install-packages.ts'
import { prepareWindows } from '../test/support/mswindows/set-up.ts'

await installLinuxPrograms()
if (process.argv.includes('windows')) await prepareWindows(console.log)
