export { type McpOptions, observerMcp, serveStdio } from './connection.ts'
