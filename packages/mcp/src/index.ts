export { serveDoor, type ServeDoorOptions } from './door/serve-door.ts'
export { describeTool, switchesOfTool, toolsOf, PROFILES, type Profile, type Tool } from './tools.ts'
export { serveMcp, type McpOptions } from './serve.ts'
