// Runs Node with the given arguments, and ends it when the process that started this one ends. npm passes signals only to its
// shell, so that a server would outlive the `npm start` that was stopped.
import { spawn } from 'node:child_process'

const CHECK_MS = 250

const parent = process.ppid
const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' })
// A terminal sends these to the child as well.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
process.on('SIGTERM', () => child.kill())
// A process whose parent has ended gets another one.
const check = setInterval(() => {
  if (process.ppid === parent) return
  child.kill()
  clearInterval(check)
}, CHECK_MS)
child.on('exit', (code) => {
  clearInterval(check)
  process.exitCode = code ?? 1
})
