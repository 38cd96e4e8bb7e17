export { mcpDoor } from './door.ts'
