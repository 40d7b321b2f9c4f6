table again_rest {
    actions = { again_rest_leave; }
    const default_action = again_rest_leave(); size = 1;
}
