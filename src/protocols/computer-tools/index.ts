export { computerToolsDoor } from './door.ts'
