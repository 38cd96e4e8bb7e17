// Downloads what later suites need, while others compute: programs for desktops of Linux, and Wine. Those suites do the rest.
import { setup as installLinuxPrograms } from '../src/test-support/linux/install-packages.ts'
import { prepareWindows } from '../src/test-support/windows/set-up.ts'

await installLinuxPrograms()
await prepareWindows(console.log)
