export { type ChannelConfig, ChannelConfigs } from './channel-config.js';
export { type CallConfig, ConfigSelector } from './config-selector.js';
export { predict } from './predict.js';
