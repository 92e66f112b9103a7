// The page works without this module; it makes the same forms quicker and livelier.
import { play } from "./game.js";
import { guard } from "./guard.js";
import { manners } from "./manners.js";
import { menu } from "./menu.js";
import { shortcuts } from "./keys.js";
import { copying } from "./copy.js";
import { countdown } from "./countdown.js";
import { install } from "./install.js";
import { noting } from "./noted.js";

manners();
play();
guard();
shortcuts();
copying();
countdown();
noting();
menu();
install();
