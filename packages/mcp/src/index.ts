export { serveDoor, type ServeDoorOptions } from './door/serve-door.ts'
export { mcpDocuments, mcpInCatalog } from './door/well-known.ts'
export { isBehindDoor, switchesOfTool, toolsOf, PROFILES, type Profile, type Switched, type Tool } from './tools.ts'
export { serveMcp, type McpOptions } from './serve.ts'
